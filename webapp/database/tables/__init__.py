"""The tables: of deals, the club's book, accounts, disputes, times, and of an association."""
