"""What one system lacks is used only where systems are told apart."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.test_imports import ROOT, imports_of, modules_of

APART = {
    "vision/runtime/files.py",
    "vision/runtime/job.py",
    "vision/runtime/process.py",
    "vision/runtime/watch.py",
    "webapp/runtime/steady_clock.py",
    "webapp/runtime/os_support.py",
}
"""Where systems are told apart."""
MODULES = {
    "resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "posix", "syslog", "readline",
    "curses", "crypt", "spwd", "msvcrt", "winreg", "winsound", "_winapi", "ctypes.wintypes",
}  # fmt: skip
"""Modules that Windows, or every other system, lacks."""
NAMES = {
    "os": "fork forkpty nice getuid geteuid getgid getpgid killpg setsid chown fchmod fchown uname"
    " sysconf getloadavg sched_getaffinity sched_setaffinity mkfifo O_NOFOLLOW O_DIRECTORY"
    " O_CLOEXEC O_NONBLOCK startfile",
    "signal": "SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGALRM SIGPROF setitimer alarm ITIMER_PROF",
    "time": "clock_gettime tzset",
    "ctypes": "WinDLL windll",
}
"""Names that these modules lack somewhere."""


def foreign(path: Path) -> set[str]:
    """What the module uses that one system lacks."""
    found = set(imports_of(path)) & MODULES
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = node.value.id
            if node.attr in NAMES.get(module, "").split():
                found.add(f"{module}.{node.attr}")
    return found


@pytest.mark.parametrize("package", ["scorer", "vision", "webapp", "models", "datasets"])
def test_only_one_place_knows_what_a_system_lacks(package: str) -> None:
    found = {path.relative_to(ROOT).as_posix(): foreign(path) for path in modules_of(package)}
    assert {path: names for path, names in found.items() if names and path not in APART} == {}


def test_each_place_is_needed() -> None:
    told = {path for path in APART if "sys.platform" in (ROOT / path).read_text("utf-8")}
    assert APART - told <= {"vision/runtime/job.py"}


@pytest.mark.parametrize("package", ["vision", "webapp", "benchmarks", "tests"])
def test_processes_are_spawned_as_on_every_system(package: str) -> None:
    asked = re.compile(r"get_context\((\w*|\"\w+\")\)")
    found = {way for path in modules_of(package) for way in asked.findall(path.read_text("utf-8"))}
    assert found <= {'"spawn"'}
