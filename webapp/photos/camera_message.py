"""What a camera may send: checked before anything is shown or kept."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from scorer.tiles import BACK, READING_LABELS
from vision.errors import PhotoError
from vision.photo.headers import read_header

MAX_PICTURE_BYTES: Final = 6 * 1024 * 1024
MOST_TILES: Final = 320

_LABELS: Final = frozenset(READING_LABELS)


class FactsRefused(ValueError):
    """What was sent is no reading of a camera; the text says what is wrong."""


def _label(text: str) -> str:
    if text not in _LABELS:
        raise ValueError(f"there is no tile {text!r}")
    return text


Label = Annotated[str, AfterValidator(_label)]
Share = Annotated[float, Field(ge=0, le=1)]
Corner = tuple[FiniteFloat, FiniteFloat]


class _Facts(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Tile(_Facts):
    quad: tuple[Corner, Corner, Corner, Corner]
    label: Label
    confidence: Share
    alternatives: list[tuple[Label, Share]] = Field(max_length=len(READING_LABELS))
    row: int = Field(ge=0, le=MOST_TILES)


class _Meld(_Facts):
    kind: Literal["chow", "pung", "kong"]
    tiles: list[Label] = Field(min_length=3, max_length=4)
    concealed: bool


class _Hand(_Facts):
    row: int = Field(ge=0, le=MOST_TILES)
    concealed: list[Label] = Field(max_length=MOST_TILES)
    melds: list[_Meld] = Field(max_length=MOST_TILES)
    bonus: list[Label] = Field(max_length=MOST_TILES)


class _Part(_Facts):
    role: Literal["hand", "set", "bonus"]
    tiles: list[Annotated[int, Field(ge=0, lt=MOST_TILES)]] = Field(
        min_length=1, max_length=MOST_TILES
    )
    meld: _Meld | None


class _Lying(_Facts):
    position: Literal["near", "right", "far", "left"]
    parts: list[_Part] = Field(max_length=MOST_TILES)


class _Reading(_Facts):
    width: int = Field(gt=0, le=20_000)
    height: int = Field(gt=0, le=20_000)
    tiles: list[_Tile] = Field(min_length=1, max_length=MOST_TILES)
    hands: list[_Hand] = Field(max_length=8)
    layout: list[_Lying] = Field(default_factory=list, max_length=4)
    warnings: list[Annotated[str, Field(max_length=500)]] = Field(max_length=60)

    @model_validator(mode="after")
    def _tiles_lie_once(self) -> _Reading:
        """Each tile lies in one place at most, and a set holds what its tiles show."""
        parts = [part for lying in self.layout for part in lying.parts]
        numbers = [number for part in parts for number in part.tiles]
        if len(set(numbers)) < len(numbers) or max(numbers, default=-1) >= len(self.tiles):
            raise ValueError("each tile lies in one place at most, and only tiles that are there")
        if len({lying.position for lying in self.layout}) < len(self.layout):
            raise ValueError("two hands lie at the same side")
        for part in parts:
            faces = Counter(self.tiles[number].label for number in part.tiles)
            del faces[BACK]
            named = [] if part.meld is None else part.meld.tiles
            if named and (len(named) != len(part.tiles) or faces - Counter(named)):
                raise ValueError("a set does not hold the tiles of which it is said to be made")
        return self


class CameraFacts(BaseModel):
    """What a camera says of what it sees.

    Attributes:
        state: ``alive`` for nothing new.
        reading: of what is settled, as ``kongbox read --json`` writes it.
    """

    model_config = ConfigDict(extra="forbid")

    state: Literal["alive", "moving", "empty", "reading", "settled"]
    reading: _Reading | None = None

    def reading_json(self) -> dict[str, Any] | None:
        """The reading as plain JSON values."""
        return None if self.reading is None else self.reading.model_dump(mode="json")


def parse_facts(text: str, picture: bytes) -> CameraFacts:
    """What a camera sent, if it can be believed.

    Args:
        text: the facts as JSON.
        picture: the JPEG that a settled reading comes with; else empty.

    Raises:
        FactsRefused: it cannot.
    """
    try:
        facts = CameraFacts.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "facts"
        raise FactsRefused(
            f"The camera's reading cannot be used: {where}: {first['msg']}."
        ) from error
    if (facts.state == "settled") != (facts.reading is not None):
        raise FactsRefused("A reading comes with the state “settled”, and only with it.")
    if facts.reading is not None:
        _check_picture(picture, facts.reading)
    return facts


def _check_picture(picture: bytes, reading: _Reading) -> None:
    if not picture or len(picture) > MAX_PICTURE_BYTES:
        raise FactsRefused(
            "A settled reading comes with the picture that it was read from, a JPEG of at most "
            f"{MAX_PICTURE_BYTES // 1024 // 1024} MB, in the field “photo”."
        )
    try:
        header = read_header(picture)
    except PhotoError as error:
        raise FactsRefused(f"The camera's picture cannot be used: {error}") from error
    if header.kind != "JPEG" or (header.width, header.height) != (reading.width, reading.height):
        raise FactsRefused("The camera's picture must be a JPEG of the size that its reading says.")
