"""The sentences of the scorer and the photo reader as templates, taken from their source.

They say what they have to say in English, as an f-string or a plain text where it arises. For the
catalogues each is a template whose places are named after what is put there; on the page it is
known again by that template (:mod:`webapp.language.translation`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

_WORD: Final = re.compile(r"[A-Za-z]{2}")
_PLACE: Final = re.compile(r"\{(\w+)(?:!r)?(:[^}]*)?\}")
AROUND: Final = " ,;:"
"""Blanks and marks round a text that is joined to others: no part of its template."""


def templates(source: str, left_out: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """The line and the template of every text of several words in a Python module.

    Blanks and marks around a text that others are joined to are no part of its template.

    Args:
        source: the module's text; docstrings and annotations are passed over.
        left_out: names of exceptions whose texts are for programmers alone.
    """
    finder = _Finder(left_out)
    finder.visit(ast.parse(source))
    yield from finder.found


class _Finder(ast.NodeVisitor):
    """Collects templates while it walks through a module."""

    def __init__(self, left_out: Collection[str]) -> None:
        self.found: list[tuple[int, str]] = []
        self._left_out = left_out

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not (isinstance(raised, ast.Name) and raised.id in self._left_out):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._take(node, node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "removeprefix"):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._take(node, _template(node))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def _take(self, node: ast.expr, template: str) -> None:
        said = _PLACE.sub(r"{\1}", template).strip(AROUND)
        if " " in said and _WORD.search(_PLACE.sub("", said)):
            self.found.append((node.lineno, said))


def _template(node: ast.JoinedStr) -> str:
    taken: list[str] = []
    parts: list[str] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            taken.append(_unused(_name(part.value), taken))
            parts.append(f"{{{taken[-1]}}}")
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
    return "".join(parts)


def _unused(name: str, taken: Collection[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}{number}", number + 1
    return found


def _name(node: ast.expr) -> str:
    """What a place is called: after the variable or function whose value stands there."""
    while (inner := _inner(node)) is not None:
        node = inner
    named = node.id if isinstance(node, ast.Name) else "value"
    if isinstance(node, ast.Attribute):
        named = node.attr
    return named.strip("_").lower()


def _inner(node: ast.expr) -> ast.expr | None:
    """The part of an expression after which its value is called; None when it is called itself."""
    match node:
        case ast.Call(func=ast.Attribute(attr="join" | "get"), args=[found, *_]):
            return found
        case ast.Call(func=ast.Name(id="len"), args=[found]):
            return found
        case ast.Call(func=ast.Attribute(value=found)) | ast.Call(func=found):
            return found
        case ast.Subscript(value=ast.Name(id=table), slice=found) if table.isupper():
            return found if isinstance(found, ast.Name | ast.Attribute) else node.value
        case ast.Subscript(value=found) | ast.BinOp(left=found) | ast.BoolOp(values=[found, *_]):
            return found
        case _:
            return None
