"""Games at the tables of an evening: storing them, their forms, score sheets and disputes."""
