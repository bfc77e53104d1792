"""This computer's own authority: what it says of itself, and how its certificates are renewed."""

from __future__ import annotations

import ssl
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from webapp.serving import certificates, https
from webapp.serving.certificates import (
    AUTHORITY_LASTS,
    CERTIFICATE_LASTS,
    RENEWED_BEFORE,
    Authority,
    open_authority,
)
from webapp.serving.https import Https, NoHttps

NOW = datetime.now(UTC).replace(microsecond=0)


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def page(tmp_path: Path, clock: Clock) -> Https:
    """A page that is served by https."""
    made = Https(tmp_path / "https", clock)
    made.turn_on()
    return made


def authority_of(page: Https) -> Authority:
    assert page.authority is not None
    return page.authority


def shown(page: Https, address: str = "127.0.0.1") -> x509.Certificate:
    """The certificate that is shown to who connects to this address of this computer."""
    context = page.context(address)
    assert context is not None
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    met = shake(trusting, context, "localhost").getpeercert(binary_form=True)
    assert met is not None
    return x509.load_der_x509_certificate(met)


def shake(theirs: ssl.SSLContext, ours: ssl.SSLContext, host: str) -> ssl.SSLObject:
    """A handshake between two ends in memory; what the phone has afterwards."""
    out, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    phone = theirs.wrap_bio(back, out, server_hostname=host)
    computer = ours.wrap_bio(out, back, server_side=True)
    for each in (phone, computer, phone, computer):
        try:
            each.do_handshake()
        except ssl.SSLWantReadError:
            continue
    return phone


def trusting(page: Https) -> ssl.SSLContext:
    """A phone that trusts this computer."""
    return ssl.create_default_context(cadata=authority_of(page).der)


def names(certificate: x509.Certificate) -> set[str]:
    found: Any = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(each.value) for each in found}


def test_a_phone_that_trusts_this_computer_takes_its_addresses_and_names_and_no_others(
    page: Https,
) -> None:
    context = page.context("127.0.0.1")
    assert context is not None
    for host in ("127.0.0.1", "localhost", "kongbox.local"):
        shake(trusting(page), context, host)
    for host in ("192.168.99.99", "example.com"):
        with pytest.raises(ssl.SSLCertVerificationError):
            shake(trusting(page), context, host)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(ssl.create_default_context(), context, "localhost")


def test_whoever_has_the_key_cannot_pretend_to_be_a_bank(page: Https, tmp_path: Path) -> None:
    _made, pem = authority_of(page).issue({"bank.example", "localhost"}, NOW)
    stolen = tmp_path / "stolen.pem"
    stolen.write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(stolen)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shake(trusting(page), context, "bank.example")


def test_what_browsers_ask_of_a_certificate(page: Https) -> None:
    root, leaf = authority_of(page).certificate, shown(page)
    assert root.not_valid_after_utc - NOW == AUTHORITY_LASTS
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc == CERTIFICATE_LASTS
    assert leaf.not_valid_before_utc < NOW - timedelta(days=1)
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert [each._name for each in usage] == ["serverAuth"]
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    leaf.verify_directly_issued_by(root)


def test_the_key_is_private_and_is_the_only_thing_that_is_kept(page: Https, tmp_path: Path) -> None:
    shown(page)
    (kept,) = (tmp_path / "https").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    assert open_authority(kept.parent, NOW).der == authority_of(page).der


def test_a_certificate_is_renewed_before_it_ends_and_the_authority_stays(
    page: Https, clock: Clock
) -> None:
    first, root = shown(page), authority_of(page).der
    clock.now = first.not_valid_after_utc - RENEWED_BEFORE - timedelta(seconds=1)
    assert shown(page) == first
    clock.now += timedelta(seconds=1)
    second = shown(page)
    assert second.not_valid_after_utc > first.not_valid_after_utc
    clock.now = NOW - timedelta(days=400)
    assert shown(page).not_valid_before_utc < clock.now, "the clock was set right"
    assert authority_of(page).der != root, "it would not hold yet"


def test_an_authority_that_ends_makes_way_for_a_new_one(page: Https, clock: Clock) -> None:
    old = authority_of(page).certificate
    clock.now = old.not_valid_after_utc - RENEWED_BEFORE
    leaf = shown(page)
    new = authority_of(page).certificate
    assert new.not_valid_after_utc > old.not_valid_after_utc
    assert new.subject != old.subject
    leaf.verify_directly_issued_by(new)


def test_a_new_address_is_named_at_once_and_a_lost_one_no_more(
    page: Https, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = {"192.168.1.7"}
    monkeypatch.setattr(https, "is_own", lambda address: address in mine)
    monkeypatch.setattr(https, "own_address", lambda _version=4: next(iter(mine)))
    first = shown(page, "192.168.1.7")
    assert {"127.0.0.1", "::1", "localhost", "kongbox.local", "192.168.1.7"} <= names(first)
    assert shown(page, "127.0.0.1") == first
    mine.add("10.0.0.7")
    assert {"192.168.1.7", "10.0.0.7"} <= names(shown(page, "10.0.0.7"))
    mine.remove("192.168.1.7")
    moved = shown(page, "fe80::7%eth0")
    assert {"10.0.0.7", "fe80::7"} <= names(moved)
    assert "192.168.1.7" not in names(moved)


def test_names_of_the_internet_are_left_out(page: Https, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KONGBOX_HOSTS", "club.example kongbox.lan")
    monkeypatch.setattr("socket.gethostname", lambda: "Büro_1.example")
    first = shown(page)
    assert "kongbox.lan" in names(first)
    assert "club.example" not in names(first)
    context = page.context("127.0.0.1")
    assert context is not None
    shake(trusting(page), context, "kongbox.lan")


def test_a_network_of_the_internet_is_as_good_as_one_at_home(page: Https) -> None:
    shown(page)
    for here in ("203.0.113.9", "2001:db8::9"):
        assert here in names(shown(page, here))
        context = page.context(here)
        assert context is not None
        shake(trusting(page), context, here)


def test_the_authority_has_no_limits_for_addresses_of_which_boringssl_knows_nothing(
    page: Https,
) -> None:
    limits = authority_of(page).certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert {type(each) for each in limits.value.permitted_subtrees or ()} == {x509.DNSName}


def with_limits_for_addresses(folder: Path) -> None:
    """Lay down an authority as earlier versions made it, for addresses of home networks alone."""
    made = open_authority(folder, NOW)
    key, old = made.key, made.certificate
    limits = [x509.IPAddress(ip_network("127.0.0.0/8")), x509.DNSName("local")]
    narrow = (
        x509.CertificateBuilder(old.issuer, old.subject, old.public_key(), old.serial_number)
        .not_valid_before(old.not_valid_before_utc)
        .not_valid_after(old.not_valid_after_utc)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(limits, None), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificates._write(
        folder / certificates._FILE, certificates._pem(key) + narrow.public_bytes(Encoding.PEM)
    )


def test_an_older_authority_is_kept_within_its_limits_which_cost_no_renewal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with_limits_for_addresses(tmp_path)
    page = Https(tmp_path)
    page.turn_on()
    first = shown(page, "8.8.8.8")
    assert shown(page, "8.8.8.8") == first
    assert "127.0.0.1" in names(first)
    assert "8.8.8.8" not in names(first)
    assert caplog.messages.count("https is not to be had at 8.8.8.8: no authority for it") == 1


def test_a_name_that_is_announced_is_named(tmp_path: Path) -> None:
    announced = set[str]()
    page = Https(tmp_path, announced=lambda: frozenset(announced))
    page.turn_on()
    assert "kongbox-2.local" not in names(shown(page))
    announced.add("kongbox-2.local")
    assert "kongbox-2.local" in names(shown(page))


def test_off_is_off_and_the_same_authority_comes_back(page: Https) -> None:
    root = authority_of(page).der
    page.turn_off()
    assert page.context("127.0.0.1") is None
    page.turn_on()
    assert authority_of(page).der == root


def test_what_was_switched_on_for_good_is_on_after_the_next_start(tmp_path: Path) -> None:
    def is_on_again() -> bool:
        started = Https(tmp_path)
        started.turn_on_again()
        return started.on

    page = Https(tmp_path)
    page.turn_on()
    assert not is_on_again()
    page.turn_on(for_good=True)
    assert is_on_again()
    (tmp_path / certificates._FILE).write_text("damaged meanwhile")
    assert not is_on_again()
    page.turn_off()
    page.turn_off()
    (tmp_path / certificates._FILE).unlink()
    assert not is_on_again()


def test_a_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoHttps, match="cannot be kept in"):
        Https(tmp_path / "file" / "https").turn_on()


def test_a_damaged_file_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / certificates._FILE).write_text("no key")
    with pytest.raises(NoHttps, match="Remove it"):
        Https(tmp_path).turn_on()
    assert (tmp_path / certificates._FILE).read_text() == "no key"


def test_a_key_and_a_certificate_that_do_not_belong_together_are_damaged(tmp_path: Path) -> None:
    one, other = tmp_path / "1", tmp_path / "2"
    open_authority(one, NOW)
    open_authority(other, NOW)
    key = (one / certificates._FILE).read_text().partition("-----BEGIN CERT")[0]
    rest = (other / certificates._FILE).read_text().partition("-----BEGIN CERT")
    (one / certificates._FILE).write_text(key + rest[1] + rest[2])
    with pytest.raises(NoHttps, match="damaged"):
        Https(one).turn_on()


def test_without_the_library_it_is_said_what_works_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("webapp.serving.certificates")
    monkeypatch.setitem(sys.modules, "webapp.serving.certificates", None)
    with pytest.raises(NoHttps, match="works without https"):
        Https(tmp_path).turn_on()
