"""How many whole deals the scorer explains in a second: ``python -m tests.scorer.speed [DEALS]``.

Prints deals and hands per second, and the median and 99th percentile time of one deal, for usual
deals and for goulashes, parsing included.
"""

from __future__ import annotations

import random
import sys
import time

from tests.scorer.builders import Json, score
from tests.scorer.tables import build


def measure(deals: list[Json]) -> list[float]:
    """Seconds for each deal, fastest first."""
    seconds = []
    for value in deals:
        start = time.perf_counter()
        score(value)
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)


def main(count: int) -> None:
    """Measure and print."""
    for name, goulash in (("usual", False), ("goulash", True)):
        rng = random.Random(2024)
        deals = [build(rng, goulash=goulash) for _ in range(count)]
        hands = sum(len(value["players"]) for value in deals)
        measure(deals[:20])
        seconds = measure(deals)
        total = sum(seconds)
        sys.stdout.write(
            f"{name}: {count / total:.0f} deals/s, {hands / total:.0f} hands/s, "
            f"median {1000 * seconds[count // 2]:.2f} ms, "
            f"p99 {1000 * seconds[count * 99 // 100]:.2f} ms\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
