#!/usr/bin/env bash
# The name of a host that zeroconf announces, when another computer asks whether it is free.
#
# Guess: whoever wants a name asks for it with type ANY (RFC 6762, 8.1), so whoever has it answers that
#   question for its host's name as for its services.
# Seen (zeroconf 0.154.0): asked for the service with ANY it answers; asked for the host's name with A
#   it answers; asked for the host's name with ANY it says nothing. So a device with Avahi, which asks so,
#   takes the same name.local without a conflict, and visitors come to the one or to the other. Whoever
#   announces a name for a page has to ask now and then who else answers to it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check zeroconf==0.154.0
"$folder/venv/bin/python" - <<'PY'
import time

from zeroconf import DNSOutgoing, DNSQuestion, IPVersion, ServiceInfo, Zeroconf
from zeroconf.const import _CLASS_IN, _FLAGS_QR_QUERY, _TYPE_A, _TYPE_ANY, _TYPE_SRV

HERE = "127.0.0.1"
HOST, SERVICE = "found-once.local.", "found-once._http._tcp.local."


def computer():
    made = Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)
    time.sleep(0.5)
    return made


def is_answered(name, kind):
    """Whether a computer that has heard nothing before hears something of the name."""
    asking, question = computer(), DNSOutgoing(_FLAGS_QR_QUERY)
    question.add_question(DNSQuestion(name, kind, _CLASS_IN))
    try:
        for _ in range(2):
            asking.send(question)
            time.sleep(1.2)
        return bool(asking.cache.entries_with_name(name))
    finally:
        asking.close()


announcing = computer()
announcing.register_service(
    ServiceInfo("_http._tcp.local.", SERVICE, addresses=[bytes([127, 0, 0, 1])], port=80, server=HOST)
)
time.sleep(1.5)
seen = {
    "service, SRV": is_answered(SERVICE, _TYPE_SRV),
    "service, ANY": is_answered(SERVICE, _TYPE_ANY),
    "host, A": is_answered(HOST, _TYPE_A),
    "host, ANY": is_answered(HOST, _TYPE_ANY),
}
announcing.close()
print(seen)
expected = {"service, SRV": True, "service, ANY": True, "host, A": True, "host, ANY": False}
assert seen == expected, seen
PY
echo "as it was seen"
