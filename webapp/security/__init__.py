"""Who may do what, how much may come in and how often, and how refusals and errors are answered."""
