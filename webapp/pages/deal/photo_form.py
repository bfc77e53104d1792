"""The photos of a form that was sent, or why there are none."""

from __future__ import annotations

from collections.abc import Iterable

from flask_babel import gettext
from werkzeug.datastructures import FileStorage

from vision.messages import say
from webapp.language.translation import translated


class PhotoMissing(ValueError):
    """A form came without a photo; the message says why and what to do."""


def photo_sent(upload: FileStorage | None) -> bytes:
    """The photo that was sent.

    Args:
        upload: the file of the form.

    Raises:
        PhotoMissing: none was chosen, or its file is empty.
    """
    if upload is None or not upload.filename:
        raise PhotoMissing(
            gettext("No photo was chosen. Tap “Take a photo” or choose one, then send it.")
        )
    data: bytes = upload.read()
    if not data:
        raise PhotoMissing(translated(say("photo.empty")))
    return data


def photos_sent(uploads: Iterable[FileStorage]) -> list[bytes]:
    """The photos that were sent where several can be chosen.

    Args:
        uploads: the files of the form; a browser sends one without a name if none was chosen.

    Raises:
        PhotoMissing: one of the files is empty.
    """
    return [photo_sent(upload) for upload in uploads if upload.filename]
