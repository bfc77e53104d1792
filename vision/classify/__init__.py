"""What one crop shows and which way up it lies; one reader for each kind of print."""
