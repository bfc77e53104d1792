"""A PostgreSQL server of the tests' own: on loopback, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

_NUMBERS = count(1)
_USER = "kongbox"
START_S = 60


def _programs() -> Path:
    """The folder of the server's programs; without them the test is skipped, or fails under CI."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path).resolve())
    if found:
        return max(found).parent
    reason = "no PostgreSQL here: install the package postgresql"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def postgres() -> Iterator[str]:
    """A fresh server; gives the address of its first database.

    The server refuses to run as root, so root starts it as the user whom the package made.
    """
    programs, port = _programs(), _free_port()
    folder = Path(tempfile.mkdtemp(prefix="kongbox-pg-"))
    run: dict[str, Any] = {"cwd": folder, "capture_output": True}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        run |= {"user": "postgres", "group": "postgres", "extra_groups": []}
    data = str(folder / "data")
    options = f"-F -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    control = [str(programs / "pg_ctl"), "-D", data, "-t", str(START_S), "-w"]
    try:
        command = ["initdb", "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([str(programs / command[0]), *command[1:]], check=True, **run)
        subprocess.run(
            [*control, "-l", str(folder / "log"), "-o", options, "start"], check=True, **run
        )
        try:
            yield f"postgresql+psycopg://{_USER}@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, **run)
    finally:
        shutil.rmtree(folder)


def new_database(server: str) -> str:
    """The address of an empty database: a schema of its own, which its user alone sees.

    PostgreSQL copies a thousand files for each real database, and a schema costs nothing.
    """
    name = f"club{next(_NUMBERS)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE ROLE {name} LOGIN"))
        connection.execute(text(f"CREATE SCHEMA AUTHORIZATION {name}"))
    engine.dispose()
    return server.replace(f"{_USER}@", f"{name}@")


def new_server_database(server: str) -> str:
    """The address of an empty database whose user may make roles and schemas."""
    name = f"association{next(_NUMBERS)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE ROLE {name} LOGIN CREATEROLE"))
        connection.execute(text(f"CREATE DATABASE {name} OWNER {name}"))
    engine.dispose()
    return server.replace(f"{_USER}@", f"{name}@").replace("/postgres", f"/{name}")
