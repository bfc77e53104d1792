"""The sheets of the course, and what the scorer answers in them."""
