#!/usr/bin/env bash
# A certificate for an address, under an authority that is limited to a network.
#
# Guess: an authority that says in nameConstraints that it stands for 127.0.0.0/8 alone (RFC 5280, 4.2.1.10)
#   can sign for 127.0.0.1, and every TLS library takes it, or one that knows no such limits ignores them.
# Seen (curl_cffi 0.17.0, which is built with BoringSSL; cryptography 50.0.2; Python's ssl with OpenSSL 3):
#   OpenSSL takes it and heeds the limit. BoringSSL refuses it: "unsupported name constraint type". It
#   does so as soon as the authority limits addresses and the certificate is for one, within the limits or
#   not, critical or not. Limits for names alone work in both. Whoever makes an authority for a home network
#   limits its names and leaves addresses free, or shuts out such programs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check curl_cffi==0.17.0 cryptography==50.0.2
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import datetime
import http.server
import ssl
import threading
import urllib.error
import urllib.request
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from curl_cffi import requests

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.now(datetime.UTC)
HOME, NAMES = x509.IPAddress(ip_network("127.0.0.0/8")), x509.DNSName("local")


def begun(name, issuer, key):
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - DAY)
        .not_valid_after(NOW + DAY)
    )


def served(limits):
    """Serve a page on 127.0.0.1 under an authority with these limits: its port and the authority."""
    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = (
        begun("Home", "Home", root)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(limits, None), critical=False)
        .sign(root, hashes.SHA256())
    )
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = begun("Page", "Home", leaf).add_extension(names, critical=False).sign(root, hashes.SHA256())
    Path("authority.pem").write_bytes(authority.public_bytes(Encoding.PEM))
    key = leaf.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    Path("page.pem").write_bytes(key + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("page.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    server.RequestHandlerClass.log_message = server.handle_error = lambda *_: None
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"https://127.0.0.1:{server.server_address[1]}/"


def by_openssl(address):
    context = ssl.create_default_context(cafile="authority.pem")
    try:
        return urllib.request.urlopen(address, context=context, timeout=10).status
    except urllib.error.URLError as error:
        return str(error.reason)


def by_boringssl(address):
    try:
        return requests.get(address, verify="authority.pem", timeout=10).status_code
    except requests.exceptions.RequestException as error:
        return str(error)


FAR = x509.IPAddress(ip_network("10.0.0.0/8"))
seen = {}
for limited, limits in (("home", [HOME, NAMES]), ("names", [NAMES]), ("elsewhere", [FAR, NAMES])):
    address = served(limits)
    seen[limited] = by_openssl(address), by_boringssl(address)
    print(limited, seen[limited])
assert seen["home"][0] == 200, seen
assert "unsupported name constraint type" in seen["home"][1], seen
assert seen["names"] == (200, 200), seen
assert "permitted subtree violation" in seen["elsewhere"][0], seen
assert "unsupported name constraint type" in seen["elsewhere"][1], seen
PY
echo "as it was seen"
