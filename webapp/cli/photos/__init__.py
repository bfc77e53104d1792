"""Commands for photos: reading them, watching the table, teaching a set, giving photos away."""
