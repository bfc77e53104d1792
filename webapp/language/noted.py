"""Marks words for the catalogues that are stored as they are and translated when they are shown."""

from __future__ import annotations

from vision.messages import Message, Value


def noted(text: str) -> str:
    """The text as it is; marks it for the catalogues, where it is stored and translated later."""
    return text


def note(template: str, **values: Value) -> Message:
    """A sentence of the page with what is in its places, marked for the catalogues likewise.

    A text that is put in stays as it is in every language; a message in it is translated too.
    """
    return Message(template, values)
