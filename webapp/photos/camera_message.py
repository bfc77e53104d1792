"""What a camera may send: checked before anything is shown or kept."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from scorer.tiles import BACK
from vision.errors import PhotoError
from vision.photo.headers import read_header
from vision.vocabulary.reading_form import (
    HandForm,
    LayoutForm,
    ReadingForm,
    ReadingFormError,
    TileForm,
    first_fault,
    reading_of,
)

MAX_PICTURE_BYTES: Final = 6 * 1024 * 1024
"""Maximum size of a camera's picture, in bytes."""
MOST_TILES: Final = 320
"""Maximum number of tiles in a camera's reading."""


class FactsRefused(ValueError):
    """What was sent is no reading of a camera; the text says what is wrong."""


class _CameraReading(ReadingForm):
    """A reading of bounded size whose melds hold the tiles that lie there."""

    width: int = Field(gt=0, le=20_000)
    height: int = Field(gt=0, le=20_000)
    tiles: list[TileForm] = Field(min_length=1, max_length=MOST_TILES)
    hands: list[HandForm] = Field(max_length=8)
    layout: list[LayoutForm] = Field(default_factory=list, max_length=4)
    warnings: list[Annotated[str, Field(max_length=500)]] = Field(max_length=60)
    messages: list[Annotated[str, Field(max_length=2000)]] = Field(
        default_factory=list, max_length=60
    )

    @model_validator(mode="after")
    def _melds_hold_their_tiles(self) -> _CameraReading:
        if len({lying.position for lying in self.layout}) < len(self.layout):
            raise ValueError("two hands lie at the same side")
        for part in (part for lying in self.layout for part in lying.parts):
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
    reading: _CameraReading | None = None

    def reading_json(self) -> dict[str, Any] | None:
        """The reading as plain JSON values, its warnings as they are kept where the camera can."""
        if self.reading is None:
            return None
        reading = self.reading.model_dump(mode="json", exclude_unset=True)
        messages = reading.pop("messages", [])
        if len(messages) == len(reading["warnings"]):
            reading["warnings"] = messages
        return reading


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
        if facts.reading is not None:
            reading_of(facts.reading)
    except ValidationError as error:
        fault = first_fault(error, "facts")
        raise FactsRefused(f"The camera's reading cannot be used: {fault}.") from error
    except ReadingFormError as error:
        raise FactsRefused(f"The camera's reading cannot be used: {error}.") from error
    if (facts.state == "settled") != (facts.reading is not None):
        raise FactsRefused("A reading comes with the state “settled”, and only with it.")
    if facts.reading is not None:
        _check_picture(picture, facts.reading)
    return facts


def _check_picture(picture: bytes, reading: _CameraReading) -> None:
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
