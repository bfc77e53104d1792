"""Reading a photo and scoring a deal as JSON over HTTP, and the health checks."""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Iterator
from functools import cache
from typing import Any

from flask import Blueprint, jsonify, request
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from scorer import DealError, parse_deal, score_deal
from vision import model_versions
from vision.errors import ModelError, PhotoError
from webapp.database.sessions import writing
from webapp.database.trouble import DETAILS, trouble_of
from webapp.deal.documents import decode
from webapp.photos.desk import TooManyPhotos
from webapp.security.bodies import DEAL, PHOTO
from webapp.security.disk import LEAST_FREE_BYTES, nearly_full
from webapp.security.errors import problem_response
from webapp.security.limits import SCORES, UPLOADS
from webapp.security.policy import ANYBODY, SCORER, Policy
from webapp.services import services

pages = Blueprint("api", __name__)

_log = logging.getLogger(__name__)


@pages.post("/api/v1/readings")
@Policy(SCORER, body=PHOTO, rate=UPLOADS, disk=True, wakes=False)
def readings() -> Response:
    """Read the photo in the multipart field ``photo`` and send the reading."""
    upload = request.files.get("photo")
    data = upload.read() if upload is not None else b""
    if upload is None or not data:
        return problem_response(400, "Send the photo as the multipart form field “photo”.")
    try:
        reading = services().desk.read_now(upload.filename or "photo", data)
    except TooManyPhotos:
        response = problem_response(503, "Eight photos are waiting already. Try again in 5 s.")
        response.headers["Retry-After"] = "5"
        return response
    except PhotoError as error:
        return problem_response(422, str(error))
    except ModelError as error:
        return problem_response(503, str(error))
    return jsonify(reading)


@pages.post("/api/v1/scores")
@Policy(SCORER, body=DEAL, rate=SCORES, wakes=False)
def scores() -> Response:
    """Score the deal in the JSON body and send the result."""
    if not request.is_json:
        return problem_response(415, "Send the deal as JSON, with Content-Type application/json.")
    try:
        deal = decode(request.get_data())
    except DealError as error:
        return _refused(400, "The body cannot be read", error)
    if not isinstance(deal, dict):
        return problem_response(400, "The body is not a JSON object. Send one deal.")
    try:
        return jsonify(score_deal(parse_deal(deal)).to_json())
    except DealError as error:
        return _refused(422, "The deal cannot be scored", error)


def _refused(status: int, what: str, error: DealError) -> Response:
    """The answer to a deal that cannot be scored, whose text names the player and the field too.

    The text is about the first fault; ``errors`` lists all of them.
    """
    player, field = error.player, error.field
    where = ", ".join(filter(None, (player and f"player {player}", field)))
    detail = f"{what}: {where}: {error.message}"
    return problem_response(status, detail, player=player, field=field, errors=error.errors_json())


@cache
def versions() -> dict[str, Any]:
    """The versions of the program and of its models, without models that are not installed."""
    try:
        models = model_versions()
    except ModelError:
        models = {}
    return {"kongbox": importlib.metadata.version("kongbox"), "models": models}


@pages.get("/healthz")
@Policy(ANYBODY, any_host=True)
def health() -> Response:
    """Send that the server is alive, and the versions that are running."""
    return jsonify({"status": "ok", **versions()})


@pages.get("/readyz")
@Policy(ANYBODY, any_host=True)
def ready() -> Response:
    """Send whether entries can be stored and photos read: database, models and disk space."""
    lacking = list(_database_faults(services().engine))
    try:
        model_versions()
    except ModelError as error:
        lacking.append(str(error))
    if lacking:
        return problem_response(503, " ".join(lacking))
    return jsonify({"status": "ready"})


def _database_faults(engine: Engine) -> Iterator[str]:
    try:
        with writing(engine).begin() as connection:
            connection.execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        _log.warning("the database cannot be written", exc_info=error)
        trouble = trouble_of(error)
        why = "Look into kongbox.log." if trouble is None else str(DETAILS[trouble])
        yield f"The database cannot be written. {why}"
    if nearly_full(engine):
        megabytes = LEAST_FREE_BYTES // 1024**2
        yield f"Less than {megabytes} MB are free on the disk of the database. Make room."
