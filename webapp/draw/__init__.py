"""Draws who plays at which table with whom, fair by construction; knows no page and no database."""
