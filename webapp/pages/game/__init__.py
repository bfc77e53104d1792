"""The pages of a table and its hands, of evenings, score sheets and disputes."""
