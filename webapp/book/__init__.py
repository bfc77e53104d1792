"""The club's book: people, seasons, statistics, ratings and erasure."""
