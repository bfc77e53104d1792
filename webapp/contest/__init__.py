"""Ranks the players and teams of a tournament or a league; knows no page and no database."""
