"""Listeners, addresses and letting phones in."""
