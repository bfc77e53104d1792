"""Opens the reader in a fresh process and reads one photo; prints seconds and megabytes as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Measure loading, including all imports of this project, then read the photo once."""
    path, threads = Path(sys.argv[1]), int(sys.argv[2])
    start = time.perf_counter()
    from vision import PhotoReader
    from vision.classify.classifier import OnnxClassifier
    from vision.detect.search import OnnxDetector

    reader = PhotoReader(OnnxDetector.load(threads), OnnxClassifier.load(threads))
    loading = time.perf_counter() - start
    reader.read(path.read_bytes())
    sys.stdout.write(json.dumps({"loading": loading, "megabytes": _peak_kilobytes() / 1024}))


def _peak_kilobytes() -> int:
    """The peak memory of this process according to Linux.

    ``ru_maxrss`` would include the memory of the parent process.
    """
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise RuntimeError("/proc/self/status does not tell the peak memory")


if __name__ == "__main__":
    main()
