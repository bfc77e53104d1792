"""Proves that a refactoring changes no answer: ``python -m tests.equal``.

``record FOLDER`` keeps what the program answers to very many questions, as lines of JSON that are
the same whenever the answers are; ``compare FOLDER FOLDER`` tells whether two such folders are
equal. A development tool: nothing here is shipped, and no test runs it.

The libraries that count in several threads are told to use one before any of them is loaded, and
what depends on the terminal or on the time zone is settled.
"""

import os
import time

_SETTLED = {
    **dict.fromkeys(
        (
            *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
            *("NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
        ),
        "1",
    ),
    "COLUMNS": "100",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "TZ": "UTC",
}

os.environ.update(_SETTLED)
time.tzset()
