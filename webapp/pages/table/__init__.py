"""The pages of a table: its hands, score sheets, places and disputes, and what is removed."""
