"""Benchmarks of whole hands, joint decisions, the page and speed.

``make bench`` runs those of speed, and of the page under load.
"""
