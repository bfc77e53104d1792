"""Who may do what: accounts, limits, tokens, errors and logs."""
