"""How much may come in, and how often: decided before anybody looks at it."""
