"""Filing: what a person's folders say of their mail, and spam moved into its folder."""
