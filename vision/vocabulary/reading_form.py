"""The JSON form of a reading, checked before a :class:`vision.vocabulary.readings.Reading` is made.

:meth:`Reading.to_json` and :meth:`Reading.layout_json` write this form, the latter under the key
``layout``. Keys that are not named here are kept: a camera adds its state, joined photos their
shift.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from scorer.tiles import READING_LABELS, is_bonus
from vision.messages import verbatim
from vision.vocabulary.readings import (
    HandReading,
    MeldKind,
    MeldReading,
    Part,
    Position,
    Reading,
    Role,
    TileReading,
)


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
    red: bool = False


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


def reading_from_json(data: object) -> Reading:
    """The reading that decoded JSON holds, the inverse of :meth:`Reading.to_json`.

    Args:
        data: what :meth:`Reading.to_json` gives, with :meth:`Reading.layout_json` under the key
            ``layout`` if the parts of the hands are to be kept. With a layout the list of hands may
            be empty, since they follow from it. Further keys are ignored.

    Raises:
        ReadingFormError: the data are not reading; the text says where and how.
    """
    try:
        form = ReadingForm.model_validate(data)
    except ValidationError as error:
        raise ReadingFormError(first_fault(error, "reading")) from error
    return reading_of(form)


def first_fault(error: ValidationError, whole: str) -> str:
    """Where the first fault of a form is, and what it is.

    Args:
        error: what pydantic found.
        whole: the word for a fault of the form as a whole.
    """
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or whole
    return f"{where}: {first['msg']}"


def reading_of(form: ReadingForm) -> Reading:
    """The reading of this form.

    Raises:
        ReadingFormError: the form says something that cannot be; the text says what.
    """
    hands = form.hands or [_hand_form(form, layout) for layout in form.layout]
    layouts: list[LayoutForm | None] = [*form.layout] or [None] * len(hands)
    if len(layouts) != len(hands):
        raise ReadingFormError(f"layout: {len(layouts)} entries do not fit {len(hands)} hands")
    try:
        return Reading(
            form.width,
            form.height,
            tuple(map(_tile, form.tiles)),
            tuple(map(_hand, hands, layouts)),
            tuple(map(verbatim, form.warnings)),
            form.seconds,
        )
    except ValueError as error:
        raise ReadingFormError(f"reading: {error}") from error


def _tile(form: TileForm) -> TileReading:
    alternatives = tuple(form.alternatives)
    return TileReading(form.quad, form.label, form.confidence, alternatives, form.row, form.red)


def _meld(form: MeldForm) -> MeldReading:
    return MeldReading(form.kind, tuple(form.tiles), form.concealed)


def _part(form: PartForm) -> Part:
    meld = None if form.meld is None else _meld(form.meld)
    return Part(form.role, tuple(form.tiles), meld, form.confidence, verbatim(form.reason))


def _hand(form: HandForm, layout: LayoutForm | None) -> HandReading:
    """The hand of this form; without a layout it is near and has no parts."""
    melds = tuple(map(_meld, form.melds))
    position: Position = "near" if layout is None else layout.position
    parts = () if layout is None else tuple(map(_part, layout.parts))
    return HandReading(form.row, tuple(form.concealed), melds, tuple(form.bonus), position, parts)


def _hand_form(form: ReadingForm, layout: LayoutForm) -> HandForm:
    """The hand that lies so."""
    apart = [part.meld for part in layout.parts if part.meld is not None]
    loose = [part for part in layout.parts if part.meld is None]
    rows = [form.tiles[number].row for part in layout.parts for number in part.tiles]
    labels = [form.tiles[number].label for part in loose for number in part.tiles]
    return HandForm(
        row=rows[0] if rows else 0,
        concealed=[label for label in labels if not is_bonus(label)],
        melds=apart,
        bonus=[label for label in labels if is_bonus(label)],
    )
