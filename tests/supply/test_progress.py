"""Whoever installs sees how far it is."""

from __future__ import annotations

from supply.progress import steps

LOCK = """\
brotli==1.2.1 ; platform_python_implementation != 'PyPy' \\
    --hash=sha256:00
brotlicffi==1.2.1.0 ; platform_python_implementation == 'PyPy' \\
    --hash=sha256:00
numpy==2.4.6 ; python_full_version < '3.14' \\
    --hash=sha256:00
numpy==2.9 ; python_full_version >= '3.14' \\
    --hash=sha256:00
    # via scipy
psycopg[binary]==3.3 \\
    --hash=sha256:00
"""
PRINTED = """\
Ignoring brotlicffi: markers "platform_python_implementation == 'PyPy'" don't match your environment
Ignoring numpy: markers "python_full_version >= '3.14'" don't match your environment
Ignoring numpy: markers "python_full_version >= '3.14'" don't match your environment
Collecting brotli==1.2.1 (from -r requirements/runtime.txt (line 158))
  Using cached brotli-1.2.1-cp311-cp311-manylinux1_x86_64.whl (2.9 MB)
Requirement already satisfied: numpy==2.4.6 in ./.venv (from -r requirements/runtime.txt (line 1))
Collecting numpy==2.4.6 (from -r requirements/dev.txt (line 1))
Collecting psycopg[binary]==3.3 (from -r requirements/dev.txt (line 9))
Installing collected packages: brotli, psycopg
Successfully installed brotli-1.2.1 psycopg-3.3
"""


def test_each_package_is_told_once_with_how_many_there_are() -> None:
    assert list(steps([LOCK, LOCK], PRINTED.splitlines(keepends=True))) == [
        "  1 of 3: brotli",
        "  2 of 3: numpy",
        "  3 of 3: psycopg",
        "  3 packages are put in place; that takes a little longer.",
    ]
