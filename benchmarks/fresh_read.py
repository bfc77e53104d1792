"""Opens the reader in a fresh process and reads one photo; prints seconds and megabytes as JSON."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def main() -> None:
    """Time loading from before the first import of ours, then read the photo once."""
    path, threads = Path(sys.argv[1]), int(sys.argv[2])
    start = time.perf_counter()
    from vision import PhotoReader
    from vision.classify import OnnxClassifier
    from vision.detect import OnnxDetector

    reader = PhotoReader(OnnxDetector.load(threads), OnnxClassifier.load(threads))
    loading = time.perf_counter() - start
    reader.read(path.read_bytes())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.write(json.dumps({"loading": loading, "megabytes": peak / 1024}))


if __name__ == "__main__":
    main()
