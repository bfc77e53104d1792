"""Breaks inputs: bytes as they come, and trees of JSON or TOML in their parts.

A broken byte mostly breaks a file's outermost form. To reach what lies deeper, a tree is decoded,
one of its parts is broken, and it is written out again.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

Bytes = Callable[[bytes, int], bytes]
"""Breaks bytes, to no more than so many."""

Mutate = Callable[[bytes, random.Random, Bytes], bytes]
"""Breaks an input, with the source of chance and what breaks its strings."""

ODD: Final[tuple[object, ...]] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, 1e308, -0.0),
    *("", " ", "E", "1m", "0", "id", "\0", "\ud7ff", "x" * 300, "../..", "1e999", "back"),
    *([], {}, [[]], {"": {}}, [None] * 40, ["1m"] * 200),
)
"""Values that stand where others are expected."""

_DEEP: Final = (3, 60, 1200)
"""How many lists are put around a value to make it deep."""


def blind(source: random.Random) -> Bytes:
    """A way to break bytes that knows nothing of what they reach."""

    def broken(data: bytes, most: int) -> bytes:
        mine = bytearray(data)
        for _ in range(source.choice((1, 1, 2, 4, 8))):
            start = source.randrange(len(mine) + 1)
            end = min(len(mine), start + source.choice((0, 1, 1, 4, 30)))
            fresh = source.choice((b"", source.randbytes(source.randrange(1, 5)), mine[start:end]))
            mine[start:end] = fresh * source.choice((1, 1, 1, 2, 50))
        return bytes(mine[:most])

    return broken


def trees(loads: Callable[[bytes], Any], dumps: Callable[[Any], bytes]) -> Mutate:
    """A way to break inputs that hold a tree; one that holds none is broken as bytes.

    Args:
        loads: the tree that an input holds.
        dumps: the input that holds a tree.
    """

    def broken(data: bytes, source: random.Random, strings: Bytes) -> bytes:
        if source.random() < 0.2:
            return strings(data, len(data) + 64)
        try:
            tree = loads(data)
            for _ in range(source.choice((1, 1, 2, 3))):
                tree = break_tree(tree, source, strings)
            return dumps(tree)
        except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
            return strings(data, len(data) + 64)

    return broken


def break_tree(tree: Any, source: random.Random, strings: Bytes) -> Any:  # noqa: ANN401 - any JSON
    """The tree with one of its parts changed, taken out, repeated or put elsewhere."""
    held = {"tree": copy.deepcopy(tree)}
    parts = list(_parts(held))
    holder, key = source.choice(parts)
    other, where = source.choice(parts)
    what = source.randrange(6)
    if what == 0 and holder is not held:
        del holder[key]
    elif what == 1:
        holder[key] = copy.deepcopy(source.choice(ODD))
    elif what == 2:
        holder[key] = copy.deepcopy(other[where])
    elif what == 3 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(other[where]))
    elif what == 4 and isinstance(holder, dict) and holder is not held:
        holder[strings(str(key).encode(), 40).decode("utf-8", "replace")] = holder.pop(key)
    elif what == 5 and source.random() < 0.1:
        for _ in range(source.choice(_DEEP)):
            holder[key] = [holder[key]]
    else:
        holder[key] = _broken_leaf(holder[key], source, strings)
    return held["tree"]


def _parts(node: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - any JSON
    """Each part of a tree, as what holds it and its key there."""
    keys = list(node) if isinstance(node, dict) else range(len(node))
    for key in keys:
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _parts(node[key])


def _broken_leaf(value: object, source: random.Random, strings: Bytes) -> object:
    if isinstance(value, str):
        return strings(value.encode("utf-8", "replace"), len(value) + 16).decode("utf-8", "replace")
    if isinstance(value, int):
        return value + source.choice((-1, 1, 10, 1000, -(2**40)))
    return copy.deepcopy(source.choice(ODD))
