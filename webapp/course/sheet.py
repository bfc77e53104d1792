"""What a sheet of the course holds: parts to read, and exercises to be answered."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Seat = Literal["E", "S", "W", "N"]

WORD_KEYS: Final = frozenset({"heading", "text", "list", "words", "question", "why", "choices"})
"""The keys of a part or an exercise that are written again in each language; all others hold for
every language."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Part(_Model):
    """Something to read, shown in this order.

    Attributes:
        heading: the heading, if there is one.
        text: paragraphs, with an empty line between them.
        tiles: tiles in a row.
        sets: melds in a row, those in brackets concealed.
        drawing: the name of a drawing.
        words: what is to be seen there.
        list: points, one below the other.
        rules: ids of rules of the ruleset, shown with what they are worth.
        special: the id of a special hand of the ruleset, drawn with what it is worth.
        more: a lesson to which a link leads.
        cite: where it is written, if the sheet's own citation does not say it.
    """

    heading: str = ""
    text: str = ""
    tiles: str = ""
    sets: str = ""
    drawing: Literal["", "table", "wall", "gap", "exchange"] = ""
    words: str = ""
    list: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    special: str = ""
    more: Literal["", "quiz", "rules", "hands", "ask", "referee"] = ""
    cite: tuple[str, ...] = ()


class _Asked(_Model):
    question: str
    why: str = ""


class Choice(_Asked):
    """One of several answers in words; ``right`` is its number, from 1."""

    kind: Literal["choice"]
    choices: Annotated[tuple[str, ...], Field(min_length=2)]
    right: Annotated[int, Field(ge=1)]


class Tap(_Asked):
    """Tiles, of which those of a class are to be tapped; where no class names them, ``right``."""

    kind: Literal["tap"]
    tiles: str
    which: Literal["", "major", "minor", "honour", "wind", "dragon", "bonus", "suit"] = ""
    right: str = ""


class Hand(_Asked):
    """A hand, and how it ended.

    Attributes:
        hand: the tiles in hand, the winning tile among them, and flowers and seasons.
        melds: what lies on the table, concealed in brackets.
        seat: the player's own wind.
        round: the wind of the round.
        win: the winning tile; empty where another player has gone out.
        source: where the winning tile came from.
        last_tile: whether it was the last tile of the wall, or the final discard.
        original_call: whether the player was fishing since the first discard.
        fishing: whether the player had called fishing.
        goulash: whether the hand was a goulash.
        players: how many play.
    """

    hand: str
    melds: str = ""
    seat: Seat = "S"
    round: Seat = "E"
    win: str = ""
    source: Literal["wall", "discard", "loose", "robbed_kong", "dealt"] = "discard"
    last_tile: bool = False
    original_call: bool = False
    fishing: bool = False
    goulash: bool = False
    players: Literal[3, 4] = 4


class Waits(Hand):
    """A hand one tile short: which tiles would complete it?"""

    kind: Literal["waits"]


class Score(Hand):
    """A hand, or some sets of one: what is it worth?"""

    kind: Literal["score"]
    asked: tuple[Literal["points", "doubles", "total"], ...] = ("points", "doubles", "total")


class Special(Hand):
    """A complete hand: which special hand is it?"""

    kind: Literal["special"]
    among: Annotated[tuple[str, ...], Field(min_length=2)]


class Gets(Hand):
    """A hand: does a rule bring it anything?"""

    kind: Literal["gets"]
    rule: str


class Out(Hand):
    """Fourteen tiles: are they Mah Jong?"""

    kind: Literal["out"]


class Pays(Hand):
    """A hand that went out: what does one player pay another?

    ``totals`` are those of East, South, West and North where their tiles are not shown, ``penalty``
    and ``offender`` an offence.
    """

    kind: Literal["pays"]
    payer: Seat
    payee: Seat
    totals: tuple[int, int, int, int] = (0, 0, 0, 0)
    penalty: str = ""
    offender: Seat | None = None
    victim: Seat | None = None


class Winds(_Asked):
    """Hands that were played: which wind has a player then, or which is the wind of the round?

    ``won`` are the own winds of those who went out, hand by hand, with a dash for a draw; ``began``
    is the wind with which the player began.
    """

    kind: Literal["winds"]
    won: str
    began: Seat = "E"
    asked: Literal["own", "round"] = "own"


Ask = Annotated[
    Choice | Tap | Waits | Score | Special | Gets | Out | Pays | Winds, Field(discriminator="kind")
]
"""An exercise."""


class Sheet(_Model):
    """A sheet of the course.

    Attributes:
        number: its number in the course.
        id: its name in addresses.
        title: its title.
        about: what is in it, in a few words.
        chapter: which sheets of the contents it stands with; empty where there is one chapter.
        cite: where what it says is written.
        ruleset: the id of the ruleset by which its exercises are answered.
        part: what is to be read.
        ask: the exercises.
        language: the language that it is in.
    """

    number: int
    id: str
    title: str
    about: str
    chapter: str = ""
    cite: tuple[str, ...]
    ruleset: str
    part: tuple[Part, ...] = ()
    ask: tuple[Ask, ...] = ()
    language: str = "en"
