"""The club's book: seasons, statistics, ratings, balances, draws and contests."""
