"""What is beside a score: why not, other rules, claims, examples and practice hands."""
