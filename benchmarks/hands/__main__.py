"""``python -m benchmarks.hands``."""

from benchmarks.hands.hands import main

main()
