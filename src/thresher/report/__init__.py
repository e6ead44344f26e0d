"""What is written for people to look at."""
