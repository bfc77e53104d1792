"""Commands for a club: its book and players, who may log in, who sits where, and its copies."""
