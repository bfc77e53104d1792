"""Benchmarks of whole hands, joint decisions, the page and speed; ``make bench`` runs the last."""
