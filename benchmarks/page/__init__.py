"""Measures the page as people use it: taps, time, load, kills and soak."""
