"""A PostgreSQL server of the tests' own: on loopback, in a folder that goes with it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count

import pytest
from sqlalchemy import create_engine, text

from benchmarks.machines import cluster

_NUMBERS = count(1)
_USER = "kongbox"


@contextmanager
def postgres() -> Iterator[str]:
    """A fresh server, which need not be durable; gives the address of its first database.

    Without PostgreSQL the test is skipped, or fails under CI.
    """
    with ExitStack() as open_now:
        try:
            address = open_now.enter_context(cluster.postgres("-F"))
        except cluster.NoPostgreSQL as reason:
            if os.environ.get("CI"):
                pytest.fail(str(reason))
            pytest.skip(str(reason))
        yield address


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
