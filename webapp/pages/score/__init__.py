"""The pages of the result, of everything that explains it, and of its links."""
