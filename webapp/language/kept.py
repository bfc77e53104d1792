"""Messages as they are kept in the database and in files, to be said in any language later.

A message is kept as the JSON object ``{"message": id, "values": {...}, "text": English}``, in a
column or field that otherwise holds a text. The ``text`` is shown where a later version knows the
id no more. A text that does not have this form is shown as it is: what older versions kept is plain
English. A sentence of the page without values is kept as its English text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from vision.english import ENGLISH
from vision.messages import Message, Value, places

_MARK: Final = '{"message": '
"""How a kept message begins."""


def kept(message: Message | str, most: int | None = None) -> str:
    """The text to keep for a message.

    Args:
        message: what is to be kept; a text stays as it is.
        most: of how many characters the column may be; a message that is longer is kept as its
            English text, cut off there.
    """
    if isinstance(message, str):
        return message[:most]
    own = message.template == message.id
    if own and not message.values:
        return str(message)[:most]
    form = {"message": message.id, "values": _plain(message.values)}
    text = json.dumps(form if own else {**form, "text": str(message)}, ensure_ascii=False)
    return text if most is None or len(text) <= most else str(message)[:most]


def brought_back(text: str) -> Message | str:
    """The message that was kept, or the text where it is none that is known."""
    if not text.startswith(_MARK):
        return text
    try:
        form = json.loads(text)
    except (ValueError, RecursionError):
        return text
    message = _message(form)
    if message is not None:
        return message
    return str(form["text"]) if "text" in form else text


def changed(text: str, change: Callable[[str], str]) -> str:
    """A kept text with every text changed that was put into its message, or else the whole."""
    message = brought_back(text)
    return change(text) if isinstance(message, str) else kept(_changed(message, change))


def _changed(message: Message, change: Callable[[str], str]) -> Message:
    values = {name: _changed_value(value, change) for name, value in message.values.items()}
    return Message(message.id, values)


def _changed_value(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, tuple):
        return tuple(_changed_value(part, change) for part in value)
    if isinstance(value, Message):
        return _changed(value, change)
    return change(value) if isinstance(value, str) else value


def _plain(values: Mapping[str, Value]) -> dict[str, object]:
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: Value) -> object:
    if isinstance(value, Message):
        return {"message": value.id, "values": _plain(value.values)}
    return [_plain_value(part) for part in value] if isinstance(value, tuple) else value


def _message(form: Mapping[str, Any]) -> Message | None:
    """The message of a JSON object; None where it lacks the values that its sentence needs."""
    message_id, values = form.get("message"), form.get("values")
    if not isinstance(message_id, str) or not isinstance(values, dict):
        return None
    if "text" in form and message_id not in ENGLISH:
        return None
    found = {name: _value(value) for name, value in values.items()}
    message = Message(message_id, {name: v for name, v in found.items() if v is not None})
    try:
        wanted = places(message.template)
    except ValueError:
        return None
    return message if wanted <= message.values.keys() else None


def _value(value: object) -> Value | None:
    if isinstance(value, dict):
        return _message(value)
    if isinstance(value, list):
        parts = [_value(part) for part in value]
        return tuple(part for part in parts if part is not None)
    return value if isinstance(value, str | int | float) else None
