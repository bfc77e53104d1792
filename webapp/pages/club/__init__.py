"""The club's book: players, boards, search, tile sets, and keeping everything."""
