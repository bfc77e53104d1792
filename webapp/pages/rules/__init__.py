"""The pages on which rules are read, changed and practised."""
