"""Whether a request was sent on by another program, so that its address is not its sender's."""

from __future__ import annotations

from typing import Final

SENT_ON: Final = "kongbox.sent_on"
"""The key of the WSGI environment that is true where a proxy said that it sends for somebody."""

SENT_ON_BY: Final = frozenset(
    {
        *("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_X_FORWARDED"),
        *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO"),
        *("HTTP_X_FORWARDED_BY", "HTTP_X_FORWARDED_PORT", "HTTP_X_CLIENT_IP"),
    }
)
"""The headers, as keys of the WSGI environment, by which proxies say that they do.

The server takes some of them away before the page sees them, since it trusts no proxy.
"""
