"""Clubs in one PostgreSQL: each sees its own, whatever it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import ProgrammingError

from scorer.tiles import SEATS
from tests.webapp.database.postgres import new_server_database
from webapp.database.engine import open_database, open_schema
from webapp.database.schemas import MAX_ROLE_BYTES, drop_schema, in_schema, role_of
from webapp.database.sessions import writing
from webapp.deal.state import new_deal
from webapp.deal.store import Store


@pytest.fixture(scope="module")
def shared(server: str) -> Iterator[Engine]:
    """The database that all clubs share."""
    engine = open_database(new_server_database(server))
    yield engine
    engine.dispose()


def test_two_clubs_keep_their_own_on_the_same_connections(shared: Engine) -> None:
    one, other = open_schema(shared, "club_a"), open_schema(shared, "club_b")
    deal = Store(one).create(new_deal(SEATS))
    assert Store(one).deal(deal) is not None
    assert Store(other).deal(deal) is None
    assert Store(shared).deal(deal) is None
    assert one.pool is other.pool is shared.pool
    again = open_schema(shared, "club_a")
    assert Store(again).deal(deal) is not None, "opened twice it is as it was"


@pytest.mark.parametrize("question", ["SELECT * FROM club_d.deals", "DELETE FROM public.deals"])
def test_the_database_itself_refuses_what_is_not_the_clubs(shared: Engine, question: str) -> None:
    own, _ = open_schema(shared, "club_c"), open_schema(shared, "club_d")
    with writing(own).begin() as connection, pytest.raises(ProgrammingError, match="denied"):
        connection.execute(text(question))


def test_a_club_leaves_nothing_behind(shared: Engine) -> None:
    open_schema(shared, "club_e")
    drop_schema(shared, "club_e")
    with shared.connect() as connection:
        found = connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname LIKE '%club_e'"))
        assert found.first() is None


def test_in_a_database_with_a_long_name_each_club_has_a_role_of_its_own(server: str) -> None:
    named = create_engine(server.replace("/postgres", f"/{'a' * 60}"))
    connection = cast("Connection", SimpleNamespace(engine=named))
    roles = {role_of(connection, f"club_{name}") for name in "ab"}
    assert len(roles) == 2
    assert max(map(len, roles)) <= MAX_ROLE_BYTES


@pytest.mark.parametrize("name", ["", "Club", 'a"b', "a b", "a" * 41, "1a"])
def test_a_schema_has_a_plain_name(shared: Engine, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        in_schema(shared, name)
