"""Measures how often the joint decision of a deal corrects misread tiles."""
