"""What the readers of crops and windows learn from."""
