"""Rulesets as the page shows them, and as a club writes its own."""
