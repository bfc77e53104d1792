"""PostgreSQL, web servers and workers, each a process that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from benchmarks.page.load import SERVE, START_S, free_port


class NoPostgreSQL(RuntimeError):
    """PostgreSQL is not installed here."""


def _programs() -> Path:
    """The folder of PostgreSQL's programs.

    Raises:
        NoPostgreSQL: it is not installed here.
    """
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path).resolve())
    if not found:
        raise NoPostgreSQL("no PostgreSQL here: install the package postgresql")
    return max(found).parent


@contextmanager
def postgres(*options: str) -> Iterator[str]:
    """A PostgreSQL server on loopback, in a folder that goes with it; gives its database's address.

    It refuses to run as root, so root starts it as the user whom the package made.

    Args:
        options: further options of the server; without any it is as durable as every other one.

    Raises:
        NoPostgreSQL: it is not installed here.
    """
    bin_folder = _programs()
    folder, port = Path(tempfile.mkdtemp(prefix="kongbox-machines-")), free_port()
    run: dict[str, Any] = {"cwd": folder, "capture_output": True}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        run |= {"user": "postgres", "group": "postgres", "extra_groups": []}
    data = str(folder / "data")
    place = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    control = [str(bin_folder / "pg_ctl"), "-D", data, "-t", str(round(START_S)), "-w"]
    try:
        start = ["-D", data, "-U", "kongbox", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([str(bin_folder / "initdb"), *start], check=True, **run)  # noqa: S603
        begin = ["-l", str(folder / "log"), "-o", " ".join((place, *options)), "start"]
        subprocess.run([*control, *begin], check=True, **run)  # noqa: S603
        try:
            yield f"postgresql+psycopg://kongbox@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, **run)  # noqa: S603
    finally:
        shutil.rmtree(folder)


@dataclass
class Machine:
    """A process that stands for a machine.

    Attributes:
        name: what it is called; its folder has that name.
        command: the ``kongbox`` command that it runs.
        folder: where it keeps its files.
        port: where it serves the page; 0 for a worker.
    """

    name: str
    command: list[str]
    folder: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it, without waiting until it is ready."""
        home = self.folder / self.name
        home.mkdir(parents=True, exist_ok=True)
        environment = os.environ | {
            "HOME": str(home), "XDG_DATA_HOME": str(home), "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        log = (home / "log").open("ab")
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", SERVE, *self.command],
            env=environment, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
        log.close()

    @property
    def ready(self) -> bool:
        """Whether the page is served; a worker is ready as soon as it runs."""
        if self.process is None or self.process.poll() is not None:
            return False
        if not self.port:
            return True
        connection = HTTPConnection("127.0.0.1", self.port, timeout=1)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def wait(self) -> None:
        """Wait until it is ready.

        Raises:
            RuntimeError: it did not start.
        """
        until = time.monotonic() + START_S
        while not self.ready:
            if time.monotonic() > until:
                raise RuntimeError(f"{self.name} did not start")
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill it with all processes that it has started, as a cut of the power would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def server(name: str, db: str, folder: Path) -> Machine:
    """A web server of the association, whose photos are read by workers."""
    port = free_port()
    command = ["serve", "--association", "--queue", "--db", db, "--port", str(port)]
    return Machine(name, command, folder, port)


def worker(name: str, db: str, folder: Path) -> Machine:
    """A worker that reads one photo at a time."""
    return Machine(name, ["worker", "--db", db, "--processes", "1"], folder)


@contextmanager
def running(*machines: Machine) -> Iterator[None]:
    """Run machines, and kill them in the end."""
    try:
        for machine in machines:
            machine.start()
        for machine in machines:
            machine.wait()
        yield
    finally:
        for machine in machines:
            machine.kill()
