"""Rulesets as people see and write them."""
