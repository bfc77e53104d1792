"""A table and its hands, evenings, score sheets and disputes."""
