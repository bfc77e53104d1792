"""The club's book and accounts, the login, tile sets, and keeping everything."""
