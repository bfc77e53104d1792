"""What can go wrong with a photo or a model, each with a message for people."""

from __future__ import annotations

from vision.messages import Message, say


class MessageError(Exception):
    """An error with a message for people.

    Attributes:
        message: what is wrong and what to do; its English is the error's text.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class PhotoError(MessageError, ValueError):
    """A photo that cannot be read; its text says what is wrong and what to do."""


class PhotoRejected(PhotoError):
    """The bytes are not a photo that is accepted: the kind, the size or the content is wrong."""


def damaged(kind: str) -> PhotoRejected:
    """The refusal of a file that does not hold what it says."""
    return PhotoRejected(say("photo.damaged", format=kind))


def costly(kind: str) -> PhotoRejected:
    """The refusal of a file that would take too long to decode."""
    return PhotoRejected(say("photo.costly", format=kind))


def too_large(kind: str) -> PhotoRejected:
    """The refusal of a picture that would take too much memory to decode."""
    return PhotoRejected(say("photo.too_large", format=kind))


def strange_colours(kind: str) -> PhotoRejected:
    """The refusal of a file whose colours no decoder here is known to convert."""
    return PhotoRejected(say("photo.strange_colours", format=kind))


class NoTilesFound(PhotoError):
    """The photo was decoded but shows no tile that could be found."""


class TooManyTiles(PhotoError):
    """More tiles seem to lie in the photo than any game has: it shows something else."""


class ModelError(MessageError, RuntimeError):
    """A model file is missing, damaged or not the one the registry names."""


class CameraError(MessageError, RuntimeError):
    """A camera or a video that cannot be read; its text says what is wrong and what to do."""


class CameraLost(CameraError):
    """A camera that was read stopped sending pictures."""
