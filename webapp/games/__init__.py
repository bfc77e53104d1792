"""Games at the tables of an evening: storing them, their forms, changes and disputes."""
