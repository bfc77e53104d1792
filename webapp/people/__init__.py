"""The people of the club: their names and numbers, and how long what is known of them is kept."""
