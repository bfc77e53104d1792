"""A database for each club in one PostgreSQL: a schema of its own, and a role that sees only that.

Each transaction takes the role and the schema of its club as it begins and gives them back as it
ends, so that all clubs share the connections of one pool. What a query of one club asks for in the
schema of another, the database itself refuses.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from sqlalchemy import Connection, Engine

NAME: Final = re.compile("[a-z][a-z0-9_]{0,39}")
"""What a schema may be called: it is quoted nowhere and short enough beside the database's name."""

MAX_ROLE_BYTES: Final = 63
"""Length in bytes at which PostgreSQL cuts the name of a role off, so that two would be one."""

_SCHEMA: Final = "kongbox_schema"
"""The name of the execution option that holds the schema of a club."""

_MAKING: Final = 0x6B6F6E68
"""The number of the advisory lock under which schemas are made, one at a time."""


def in_schema(engine: Engine, schema: str) -> Engine:
    """An engine on the same connections that sees one schema only."""
    if not NAME.fullmatch(schema):
        raise ValueError(f"{schema!r} is no name of a schema")
    return engine.execution_options(**{_SCHEMA: schema})


def schema_of(connection: Connection | Engine) -> str | None:
    """The schema that a connection sees; None if it is that of the user who logged in."""
    return connection.get_execution_options().get(_SCHEMA)


def role_of(connection: Connection, schema: str) -> str:
    """The role that owns a schema; roles are common to all databases of a server."""
    role = f"{connection.engine.url.database}_{schema}"
    if len(role.encode()) <= MAX_ROLE_BYTES:
        return role
    return f"{schema}_{hashlib.sha256(role.encode()).hexdigest()[:20]}"


def enter(connection: Connection) -> None:
    """Let the transaction that begins see its club's schema only, with the rights of its role."""
    schema = schema_of(connection)
    if schema is not None:
        connection.exec_driver_sql(
            f'SET LOCAL ROLE "{role_of(connection, schema)}"; SET LOCAL search_path TO "{schema}"'
        )


def make_schema(engine: Engine, schema: str) -> None:
    """Make the schema of a club and its role, unless they are there.

    Args:
        engine: one of :func:`in_schema` or the engine it was made of; its user may make roles.
        schema: the schema.
    """
    plain = engine.execution_options(**{_SCHEMA: None})
    with plain.begin() as connection:
        role = role_of(connection, schema)
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING})")
        known = connection.exec_driver_sql("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,))
        if known.first() is None:
            connection.exec_driver_sql(f'CREATE ROLE "{role}" NOLOGIN')
        connection.exec_driver_sql(f'GRANT "{role}" TO CURRENT_USER')
        connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{schema}" AUTHORIZATION "{role}"')
        connection.exec_driver_sql(f'REVOKE ALL ON SCHEMA "{schema}" FROM PUBLIC')


def close_own(engine: Engine) -> None:
    """Close the connections to a database, unless they are those of all clubs."""
    if schema_of(engine) is None:
        engine.dispose()


def drop_schema(engine: Engine, schema: str) -> None:
    """Delete a club's schema with all that is in it, and its role."""
    plain = engine.execution_options(**{_SCHEMA: None})
    with plain.begin() as connection:
        connection.exec_driver_sql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
        connection.exec_driver_sql(f'DROP ROLE IF EXISTS "{role_of(connection, schema)}"')
