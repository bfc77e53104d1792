"""What the library that checks the form of a file objects to, as a message."""

from __future__ import annotations

from pydantic import ValidationError

from vision.english import ENGLISH
from vision.messages import Message


def form_fault(error: ValidationError) -> str | Message:
    """The message of the first fault by its type; the library's own words where there is none."""
    fault = error.errors(include_url=False)[0]
    message_id = f"form.{fault['type']}"
    if message_id not in ENGLISH:
        return fault["msg"]
    context = fault.get("ctx", {})
    return Message(message_id, {name: str(value) for name, value in context.items()})
