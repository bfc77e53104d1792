"""Runs the benchmark of whole hands: ``python -m benchmarks.hands``."""

from benchmarks.hands.hands import main

main()
