"""What all views share: the stores and desks of the application, and small request helpers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from flask import Response, abort, current_app, request
from flask_babel import gettext
from sqlalchemy import Engine

from scorer import RulesetInfo
from webapp.backup.automatic import Backups
from webapp.book.book import ClubBook, open_book
from webapp.book.seasons import Seasons
from webapp.club_settings.decisions import Decisions
from webapp.club_settings.groups import ClubRules, ClubTiles, Group, NameOrder
from webapp.club_settings.rules import Rules, playable
from webapp.database.schemas import close_own
from webapp.database.sessions import shared
from webapp.deal.shares import Shares
from webapp.deal.state import DealState, Player, new_deal
from webapp.deal.store import Store, StoredDeal
from webapp.deal.timing import Timings
from webapp.evening.arrivals import WINDOW_S, Arrivals
from webapp.evening.code import CheckInCode
from webapp.evening.evenings import Club, Evening, today
from webapp.evening.round_clock import RoundClock
from webapp.evening.visits import Visits
from webapp.games.disputes import Disputes
from webapp.games.removals import Removals
from webapp.games.store import GameStore, StoredGame
from webapp.photos.copies import copies_of
from webapp.photos.desk import PhotoDesk
from webapp.rulesets.shown import rulesets
from webapp.runtime.counts import CountsOf, in_memory
from webapp.runtime.steady_clock import steady_now
from webapp.security.policy import current
from webapp.serving.sse import LiveDesk
from webapp.tile_sets.chosen import set_names, set_of, set_used
from webapp.tile_sets.drafts import SetDesk

G = TypeVar("G", bound=Group)

PACKAGE: Final = Path(__file__).parent
"""The folder of this package."""

SAMPLES_FILE: Final = PACKAGE / "samples.json"
"""The file that describes the sample photos."""

SAMPLES_FOLDER: Final = PACKAGE / "static"
"""The folder to which the paths of the sample photos are relative."""

EXTENSION: Final = "kongbox"
"""The key of the application's extensions under which its services are kept."""


IN_PLAY: Final = timedelta(hours=12)
"""How long after its last entry a table that is not over is still in play."""


@dataclass(frozen=True)
class Services:
    """The stores and desks of the application.

    Attributes:
        engine: the database.
        store: deals and their photos.
        desk: has photos read.
        samples_file: the file that describes the sample photos.
        club: players and evenings.
        games: the games at the tables.
        live: the streams that tell phones of changes.
        sets: drafts of tile sets that are being taught.
        counts: makes what counts how often a phone did something.
    """

    engine: Engine
    store: Store
    desk: PhotoDesk
    samples_file: Path
    club: Club
    games: GameStore
    live: LiveDesk
    sets: SetDesk
    counts: CountsOf = in_memory

    def copies(self, deal: StoredDeal) -> Mapping[str, int]:
        """The number of tiles of each face of which a deal's tile set has an unusual number."""
        return copies_of(set_of(self.store, self.games, deal))

    def close(self) -> None:
        """End the streams, finish the photos that are being read and close the database."""
        self.live.close()
        self.sets.close()
        self.desk.close()
        close_own(self.engine)

    @cached_property
    def backups(self) -> Backups:
        """The copies of the database that are made while the page is served."""
        return Backups(self.engine.url.render_as_string(hide_password=False))

    @cached_property
    def book(self) -> ClubBook:
        """The club's book."""
        return open_book(self.engine, self.games)

    @cached_property
    def disputes(self) -> Disputes:
        """The disputes about deals."""
        return Disputes(self.engine)

    @cached_property
    def removals(self) -> Removals:
        """What was removed, and brings it back."""
        return Removals(self.engine)

    def tonight(self) -> tuple[Evening | None, list[StoredGame]]:
        """The evening that is going on, and its tables; it may have begun before midnight."""
        evening = self.club.evening_of(today())
        tables = [] if evening is None else self.games.of_evening(evening.id)
        known = {stored.id for stored in tables}
        running = self.games.running_since(steady_now() - IN_PLAY, known)
        if evening is None and running:
            evening = self.club.evening(running[-1].evening_id)
        return evening, running + tables

    @cached_property
    def shares(self) -> Shares:
        """The links under which deals can be looked at."""
        return Shares(self.engine)

    @cached_property
    def decided(self) -> Decisions:
        """What the club has decided once for all its evenings."""
        return Decisions(self.engine)

    def decided_today(self, group: type[G]) -> G:
        """What holds today: what was decided for this season, else for all of them."""
        season, empty = Seasons(self.engine).of_day(today()), group()
        own = empty if season is None else self.decided.of(group, season.id)
        return self.decided.of(group) if own == empty else own

    def club_rules(self) -> Rules | None:
        """The rules that the club has decided on, as they can be played today."""
        season = Seasons(self.engine).of_day(today())
        own = None if season is None else playable(self.decided.of(ClubRules, season.id))
        if season is None or own is None:
            return playable(self.decided.of(ClubRules))
        return replace(own, season=season.name)

    def rulesets(self) -> tuple[RulesetInfo, ...]:
        """The rulesets that can be chosen; the one that the club has decided on comes first."""
        ours = self.club_rules()
        return tuple(sorted(rulesets(), key=lambda it: ours is None or it.id != ours.ruleset))

    def loose_deal(self, seats: tuple[str, ...], names: dict[str, str]) -> DealState:
        """An empty deal without a table, with the club's rules."""
        state, rules = new_deal(seats, names), self.club_rules()
        if rules is None:
            return state
        return replace(state, ruleset=rules.ruleset, changes=rules.changes)

    def begin_deal(self, state: DealState, place: tuple[str, int] | None = None) -> str:
        """Store a new deal and return its id; the club's tile set is on the table from the first.

        Args:
            state: the deal.
            place: the id of its game and the number of its hand; None for a deal without a table.
        """
        name = self.decided.of(ClubTiles).name
        if name is not None and name in set_names():
            used = None if place is None else set_used(self.store, self.games, place[0])
            if used is None:
                state = replace(state, tile_set=name)
        return self.store.create(state, place)

    @cached_property
    def visits(self) -> Visits:
        """Who is here on which evening."""
        return Visits(self.engine)

    @cached_property
    def code(self) -> CheckInCode:
        """The code by which phones check in."""
        return CheckInCode(self.engine)

    @cached_property
    def arrivals(self) -> Arrivals:
        """What phones may do that check in."""
        return Arrivals(self.visits, self.code, self.counts("arrivals", WINDOW_S))

    @cached_property
    def clock(self) -> RoundClock:
        """The common clock of a round."""
        return RoundClock(self.engine)

    def table_token(self, game_id: str) -> str:
        """A text that changes with every entry at a table and whenever the clock is set."""
        with shared():
            return self.games.token(game_id) + self.clock.mark()

    def check_in_token(self, evening_id: str) -> str:
        """A text that changes whenever someone checks in or out, and with the code for phones."""
        with shared():
            here = tuple(self.visits.here(evening_id))
            told = repr((here, self.code.of(evening_id), self.decided.of(NameOrder)))
        return sha256(told.encode()).hexdigest()[:16]

    @cached_property
    def timings(self) -> Timings:
        """The steps of deals and their times."""
        return Timings(self.engine)

    @cached_property
    def samples(self) -> dict[str, Any] | None:
        """The demo, with ``photos`` (seat, photo, title) and the true ``deal``; None if missing."""
        if not self.samples_file.exists():
            return None
        samples: dict[str, Any] = json.loads(self.samples_file.read_text("utf-8"))
        return samples


def services() -> Services:
    """The services of the application that answers this request."""
    found: Services = current_app.extensions[EXTENSION]
    return found


def wake_phones(response: Response) -> Response:
    """After an entry, wake the streams of the phones that follow its table."""
    if not current().wakes:
        return response
    if request.method == "POST" and response.status_code < 400:
        found, named = services(), request.view_args or {}
        if "game_id" in named:
            found.live.wake(str(named["game_id"]))
        elif "deal_id" not in named:
            found.live.wake()
        elif (place := found.games.game_of(str(named["deal_id"]))) is not None:
            found.live.wake(place[0])
    return response


def deal_or_404(deal_id: str) -> StoredDeal:
    """The deal named in the address; ends the request with status 404 if there is none."""
    deal = services().store.deal(deal_id)
    if deal is None:
        abort(
            404, gettext("There is no such deal here. It may have been scored on another machine.")
        )
    return deal


def player_or_404(state: DealState, seat: str) -> Player:
    """The player named in the address; ends the request with status 404 if nobody sits there."""
    if seat not in state.seats:
        abort(404, gettext("Nobody sits there in this deal."))
    return state.player(seat)
