#!/usr/bin/env bash
# What somebody hears whose upload waitress refuses for its size.
#
# Guess: a server that refuses a body by its Content-Length answers 413, and the sender reads that.
# Seen (waitress 3.0.2, Linux): it answers 413 and closes the connection at once, while the body is still
#   on its way. What comes then is answered by a reset, which throws the answer away on the sender's side,
#   too: of 20 uploads of 5 MB not one heard 413, all ended in ConnectionResetError or BrokenPipeError. A
#   browser shows "connection reset" then, a proxy its own 502. With a body that fits into the buffers of
#   the two systems it is a matter of luck, so a test with a small one notices nothing. Whoever wants the
#   reason to be read has to receive the rest and throw it away.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check waitress==3.0.2
"$folder/venv/bin/python" - <<'PY'
import collections
import http.client
import threading

from waitress.server import create_server

MOST, TRIES = 1_000_000, 20


def page(_environ, start_response):
    start_response("200 OK", [("Content-Length", "0")])
    return []


server = create_server(page, host="127.0.0.1", port=0, max_request_body_size=MOST)
threading.Thread(target=server.run, daemon=True).start()


def heard(size):
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=20)
    try:
        connection.request("POST", "/", bytes(size))
        return connection.getresponse().status
    except ConnectionError as error:
        return type(error).__name__
    finally:
        connection.close()


small = collections.Counter(heard(MOST - 1) for _ in range(TRIES))
large = collections.Counter(heard(5 * MOST) for _ in range(TRIES))
print("within the limit:", dict(small))
print("5 MB:            ", dict(large))
assert small == {200: TRIES}, small
assert set(large) <= {413, "ConnectionResetError", "BrokenPipeError"}, large
assert large[413] < TRIES / 2, large
PY
echo "as it was seen"
