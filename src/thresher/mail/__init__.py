"""bytes -> Message -> token stream. Pure and total: any bytes are valid input."""
