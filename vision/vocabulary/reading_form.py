"""The JSON form of a reading, checked before a :class:`vision.vocabulary.readings.Reading` is made.

:meth:`Reading.to_json` and :meth:`Reading.layout_json` write this form, the latter under the key
``layout``. Keys that are not named here are kept: a camera adds its state, joined photos their
shift.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from scorer.tiles import READING_LABELS

MeldKind = Literal["chow", "pung", "kong"]
Role = Literal["hand", "set", "bonus"]
"""What tiles that lie together are: tiles in hand, a meld laid apart, or flowers and seasons."""
Position = Literal["near", "right", "far", "left"]
"""The side of the photo at which a player sits."""


class ReadingFormError(ValueError):
    """The JSON form of a reading is wrong; the text says where and how."""


def _known(label: str) -> str:
    if label not in READING_LABELS:
        raise ValueError(f"there is no tile {label!r}")
    return label


Label = Annotated[str, AfterValidator(_known)]
Probability = Annotated[float, Field(ge=0, le=1)]
Corner = tuple[FiniteFloat, FiniteFloat]
Index = Annotated[int, Field(ge=0)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="allow")


class TileForm(_Form):
    """The form of a :class:`vision.vocabulary.readings.TileReading`."""

    quad: tuple[Corner, Corner, Corner, Corner]
    label: Label
    confidence: Probability
    alternatives: list[tuple[Label, Probability]] = Field(max_length=len(READING_LABELS))
    row: Index


class MeldForm(_Form):
    """The form of a :class:`vision.vocabulary.readings.MeldReading`."""

    kind: MeldKind
    tiles: list[Label] = Field(min_length=3, max_length=4)
    concealed: bool


class HandForm(_Form):
    """The form of a :class:`vision.vocabulary.readings.HandReading` without its parts."""

    row: Index
    concealed: list[Label]
    melds: list[MeldForm]
    bonus: list[Label]


class PartForm(_Form):
    """The form of a :class:`vision.vocabulary.readings.Part`.

    A part without a confidence is certain, one without a reason gives none.
    """

    role: Role
    tiles: list[Index] = Field(min_length=1)
    meld: MeldForm | None
    confidence: Probability = 1.0
    reason: str = ""


class LayoutForm(_Form):
    """The form of the place and the parts of one hand."""

    position: Position
    parts: list[PartForm]


class ReadingForm(_Form):
    """The form of a whole reading; its layout may be missing."""

    width: int = Field(gt=0)
    height: int = Field(gt=0)
    tiles: list[TileForm]
    hands: list[HandForm]
    layout: list[LayoutForm] = Field(default_factory=list)
    warnings: list[str]
    seconds: dict[str, FiniteFloat] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _parts_hold_tiles_once(self) -> ReadingForm:
        parts = [part for lying in self.layout for part in lying.parts]
        numbers = [number for part in parts for number in part.tiles]
        if len(set(numbers)) < len(numbers) or max(numbers, default=-1) >= len(self.tiles):
            raise ValueError("each tile lies in one place at most, and only tiles that are there")
        return self


def checked_form(data: object) -> ReadingForm:
    """The form that decoded JSON has.

    Raises:
        ReadingFormError: it is no reading.
    """
    try:
        return ReadingForm.model_validate(data)
    except ValidationError as error:
        raise ReadingFormError(first_fault(error, "reading")) from error


def first_fault(error: ValidationError, whole: str) -> str:
    """Where the first fault of a form is, and what it is.

    Args:
        error: what pydantic found.
        whole: the word for a fault of the form as a whole.
    """
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or whole
    return f"{where}: {first['msg']}"
