"""A client that sends, with every form, the token that the page would have put into it."""

from __future__ import annotations

from typing import Any

from flask import g, session
from flask.testing import FlaskClient
from flask_wtf.csrf import generate_csrf
from werkzeug.test import TestResponse


class TokenClient(FlaskClient):
    """Sends forms as the page does; ``forged=True`` sends one as another site would."""

    def open(self, *args: Any, forged: bool = False, **kwargs: Any) -> TestResponse:
        if kwargs.get("method", "GET") == "POST" and not forged:
            headers = dict(kwargs.get("headers") or {})
            headers.setdefault("X-CSRFToken", self._token(kwargs.get("base_url")))
            kwargs["headers"] = headers
        return super().open(*args, **kwargs)

    def _token(self, base_url: str | None) -> str:
        """A token of this client's session, which is begun if there is none yet."""
        given = {} if base_url is None else {"base_url": base_url}
        asking = self.application.test_request_context(**given)
        with asking, self.session_transaction(**given) as held:
            g.pop("csrf_token", None)
            if "csrf_token" in held:
                session["csrf_token"] = held["csrf_token"]
            token: str = generate_csrf()
            held["csrf_token"] = session["csrf_token"]
            return token
