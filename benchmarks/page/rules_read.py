"""Reads every ruleset when it is imported, as a server has that served tables for a while."""

from __future__ import annotations

from scorer.rules.rulebook import load_compiled, ruleset_ids

for _ruleset in ruleset_ids():
    load_compiled(_ruleset)
