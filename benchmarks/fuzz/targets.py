"""What reads the input of strangers: how it is called, what it may refuse with, what it is fed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import tomli_w

from benchmarks.fuzz import seeds
from benchmarks.fuzz.archives import ArchiveReader, packed_tree, unpacked_tree
from benchmarks.fuzz.judge import Limits
from benchmarks.fuzz.lists import lists, read_list
from benchmarks.fuzz.mutate import Mutate, trees
from benchmarks.fuzz.pictures import broken_picture
from scorer.deal import Player
from scorer.errors import DealError, RulesetError
from scorer.evaluation.evaluate import score_deal
from scorer.notations import NotationError
from scorer.rules import files
from scorer.rules.compiled import compile_ruleset
from scorer.rules.rulebook import check_table
from scorer.text.deal_json import parse_deal
from scorer.tiles import format_tiles, parse_tiles
from vision.errors import PhotoRejected
from vision.photo.costs import check_cost
from vision.photo.headers import read_header
from vision.photo.png import check_unpacked
from vision.tilesets.profile import ProfileError
from vision.tilesets.profile_file import from_json
from webapp.backup.archive import ArchiveRefused
from webapp.deal.documents import read_documents
from webapp.list_import.sheet import FileRefused


@dataclass(frozen=True, slots=True)
class Target:
    """One reader of input.

    Attributes:
        read: reads the bytes of one input.
        declared: the errors with which it may refuse them.
        seeds: good inputs to start from.
        mutate: breaks an input in its parts; None where bytes are broken as they come.
        max_bytes: maximum length of an input in bytes.
        limits: what one input may cost.
    """

    read: Callable[[bytes], object]
    declared: tuple[type[Exception], ...]
    seeds: Callable[[], tuple[bytes, ...]]
    mutate: Mutate | None = None
    max_bytes: int = 4096
    limits: Limits = field(default_factory=Limits)


def _read_deals(data: bytes) -> None:
    for document in read_documents(data):
        if document.error is not None:
            raise document.error
        score_deal(parse_deal(document.value))


def _read_hand(data: bytes) -> None:
    tiles, _, melds = data.decode("utf-8", "ignore").partition("\n")
    Player("E", tiles, melds)
    read = parse_tiles(tiles)
    if parse_tiles(format_tiles(read)) != read:
        raise AssertionError("the tiles written out again read as others")


def _read_ruleset(data: bytes) -> None:
    compile_ruleset(check_table(files.decode(data, "club.toml"), "club.toml"))


def _read_photo(data: bytes) -> None:
    header = read_header(data)
    check_cost(header)
    if header.kind == "PNG":
        check_unpacked(header)


def _json(tree: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps(tree).encode()


def _toml(data: bytes) -> dict[str, Any]:
    return tomllib.loads(data.decode())


def _as_toml(tree: Any) -> bytes:  # noqa: ANN401 - any tree
    return tomli_w.dumps(tree).encode()


TARGETS: Final[dict[str, Target]] = {
    "deals": Target(_read_deals, (DealError,), seeds.deals, trees(json.loads, _json)),
    "hands": Target(_read_hand, (NotationError,), seeds.hands, max_bytes=400),
    "rulesets": Target(
        _read_ruleset,
        (RulesetError,),
        seeds.rulesets,
        trees(_toml, _as_toml),
        max_bytes=40_000,
    ),
    "profiles": Target(
        from_json,
        (ProfileError,),
        seeds.profiles,
        trees(json.loads, _json),
    ),
    "archives": Target(
        ArchiveReader(),
        (ArchiveRefused,),
        seeds.archives,
        trees(unpacked_tree, packed_tree),
        max_bytes=60_000,
        limits=Limits(seconds=1.0),
    ),
    "lists": Target(
        read_list,
        (FileRefused,),
        lists,
        trees(unpacked_tree, packed_tree),
        max_bytes=40_000,
        limits=Limits(seconds=1.0),
    ),
    "photos": Target(_read_photo, (PhotoRejected,), seeds.photos, broken_picture),
}
"""Every reader of input, by the name under which the command knows it. An archive is read into a
database, and a workbook by a reader of XML; both take longer than the others' limit."""
