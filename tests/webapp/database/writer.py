"""A program that enters tiles until it is killed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from webapp.database.engine import open_database
from webapp.deal.edits import add_tiles, with_player
from webapp.deal.state import HAND, DealState, new_deal
from webapp.deal.store import Store

ENTRIES = 30


def with_another(state: DealState) -> DealState:
    return with_player(state, add_tiles(state.player("E"), ["1m"], HAND))


def write(url: str, told: Connection) -> None:
    """Tell the deal's id, then the number of each entry once it is acknowledged."""
    store = Store(open_database(url))
    deal_id = store.create(new_deal(("E", "S", "W", "N")))
    told.send(deal_id)
    for number in range(1, ENTRIES + 1):
        store.edit(deal_id, with_another, "Added", entry=str(number))
        told.send(number)
    told.recv()


@contextmanager
def writing(url: str) -> Iterator[Connection]:
    """A writer in a process of its own, which is killed at the end; gives what it tells."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=write, args=(url, theirs))
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()
