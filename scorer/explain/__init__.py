"""What stands beside a score: why not, other rules, claims, examples and practice hands."""
