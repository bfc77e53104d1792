"""Reading waits for nobody, writing waits its turn."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

from sqlalchemy import event, select
from sqlalchemy.orm import sessionmaker

from scorer.tiles import SEATS
from webapp.database.engine import open_database
from webapp.database.tables.deals import DealRow
from webapp.deal.state import new_deal
from webapp.deal.store import Store


def test_pages_are_read_while_somebody_writes(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'turns.sqlite3'}")
    store = Store(engine)
    known = store.create(new_deal(SEATS))
    with sessionmaker(engine).begin() as writer:
        writer.get_one(DealRow, known).head = 0
        found = store.deal(known)
        assert found is not None
        assert found.id == known
    engine.dispose()


def test_writers_take_turns_from_their_first_look_on(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'turns.sqlite3'}")
    begun: list[str] = []

    @event.listens_for(engine, "before_cursor_execute")
    def note(_c: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith("BEGIN"):
            begun.append(statement)

    store = Store(engine)
    deal = store.create(new_deal(SEATS))
    store.deal(deal)
    with sessionmaker(engine)() as reader:
        reader.scalars(select(DealRow)).all()
    assert begun == ["BEGIN IMMEDIATE", "BEGIN", "BEGIN"]

    def rename() -> None:
        for _ in range(20):
            store.edit(deal, lambda state: state, "Nothing new")

    phones = [Thread(target=rename) for _ in range(4)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert len(store.trail(deal)) == 81
    engine.dispose()
