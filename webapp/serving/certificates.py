"""This computer's own certificate authority, whose certificates phones believe once told to.

Its key never leaves the data folder. It says itself that of all names it stands for those of home
networks alone: a phone that heeds this believes it for no web site, no matter who has the key.

It says nothing of addresses. Limits for them would keep a thief of the key from https://8.8.8.8/,
where nobody goes, and cost more: BoringSSL refuses every certificate for an address then, also one
within the limits, and a hall whose Wi-Fi has public addresses would need an authority of its own.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from vision.runtime.files import put_in_place

AUTHORITY_LASTS: Final = timedelta(days=3652)
"""How long phones may trust an authority that was made: ten years, since each is told by hand."""

CERTIFICATE_LASTS: Final = timedelta(days=397)
"""How long a certificate holds: the longest time that browsers take from any authority; Apple's
devices take 825 days from one that was added by hand."""

RENEWED_BEFORE: Final = timedelta(days=30)
"""So long before its end a certificate, or the authority itself, is replaced."""

CLOCKS_DIFFER: Final = timedelta(days=2)
"""So much earlier than now a certificate begins to hold, for phones whose clock is behind."""

HOME_NAMES: Final = ("local", "localhost", "lan", "home", "internal", "home.arpa")
"""The ends of names that belong to nobody in the Internet (RFC 6761, 6762, 8375, and habit)."""

_FILE: Final = "authority.pem"
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?")


class DamagedAuthority(ValueError):
    """The file of the authority cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority.

    Attributes:
        certificate: what phones are told to trust.
        key: its secret key.
    """

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        """Its certificate as phones take it."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def name(self) -> str:
        """What a phone calls it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """Its SHA-256 as phones show it: pairs of hexadecimal digits."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(" ").upper()

    def covers(self, name: str) -> bool:
        """Whether its certificates may be for this address or name.

        One that was made before addresses were free may have limits for them, too.
        """
        limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        allowed = [each.value for each in limits.permitted_subtrees or ()]
        networks = [each for each in allowed if not isinstance(each, str)]
        try:
            address = ip_address(name)
        except ValueError:
            return _NAME.fullmatch(name) is not None and any(
                f".{name}".endswith(f".{end}") for end in allowed
            )
        return not networks or any(address in each for each in networks)

    def ends_soon(self, now: datetime) -> bool:
        """Whether it does not hold now, or only for few more days."""
        return is_over(self.certificate, now)

    def issue(self, names: Iterable[str], now: datetime) -> tuple[x509.Certificate, bytes]:
        """A certificate for these addresses and names, and it with a key of its own as PEM."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kongbox")])
        ends = min(now + CERTIFICATE_LASTS - CLOCKS_DIFFER, self.certificate.not_valid_after_utc)
        made = (
            _begun(subject, self.certificate.subject, key.public_key(), now, ends)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(
                x509.SubjectAlternativeName([_general(name) for name in sorted(names)]),
                critical=False,
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()),
                critical=False,
            )
            .sign(self.key, hashes.SHA256())
        )
        return made, _pem(key) + made.public_bytes(serialization.Encoding.PEM)


def is_over(certificate: x509.Certificate, now: datetime) -> bool:
    """Whether a certificate does not hold now, or only for few more days."""
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return not begins <= now < ends - RENEWED_BEFORE


def open_authority(folder: Path, now: datetime) -> Authority:
    """The authority whose file lies in this folder; a new one if there is none or it ends soon.

    Args:
        folder: the folder.
        now: the time.

    Raises:
        DamagedAuthority: the file is not that of an authority.
        OSError: the folder cannot be written.
    """
    path = folder / _FILE
    if path.exists():
        kept = _read(path)
        if not kept.ends_soon(now):
            return kept
    made = _make(now)
    _write(path, _pem(made.key) + made.certificate.public_bytes(serialization.Encoding.PEM))
    return made


def _read(path: Path) -> Authority:
    held = path.read_bytes()
    try:
        key = serialization.load_pem_private_key(held, password=None)
        certificate = x509.load_pem_x509_certificate(held)
        if isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == (
            certificate.public_key()
        ):
            return Authority(certificate, key)
    except ValueError:
        pass
    raise DamagedAuthority(
        f"{path} is damaged. Remove it: a new one is made, and each phone is told to trust it anew."
    )


def _make(now: datetime) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    here = socket.gethostname().split(".")[0][:30]
    called = f"Kongbox on {here} ({secrets.token_hex(2).upper()})"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, called)])
    homes = [x509.DNSName(end) for end in HOME_NAMES]
    certificate = (
        _begun(name, name, key.public_key(), now, now + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        # Not critical: a phone that knows no such limits goes on without them.
        .add_extension(x509.NameConstraints(homes, excluded_subtrees=None), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    now: datetime,
    ends: datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    """What a key may be used for: signing certificates, or handshakes."""
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write(path: Path, content: bytes) -> None:
    """Write a file that nobody but its owner can read, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(f".{secrets.token_hex(4)}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    put_in_place(part, path)
