from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import vision
from scorer import DealError
from scorer.english.sources import cited
from tests.vision.fakes import models_that_see, reader_with, sure_of
from tests.vision.pictures import drawing, encoded
from tests.vision.table import lay
from vision.errors import ModelError
from vision.messages import Message
from vision.runtime.opencv import cv2
from webapp.cli.main import main
from webapp.database.engine import DatabaseError
from webapp.deal.documents import read_documents
from webapp.server import Serving
from webapp.serving.https import NoHttps


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def deal(**changes: Any) -> dict[str, Any]:
    """South goes out on North's discard with four pungs of bamboo and honours."""
    pungs = [
        {"kind": "pung", "tiles": [tile] * 3, "concealed": False} for tile in ("1s", "9s", "5z")
    ]
    winner = {"seat": "S", "concealed": ["6s"] * 3 + ["2z"] * 2, "melds": pungs, "bonus": ["2f"]}
    others = [{"seat": seat, "claimed": total} for seat, total in (("E", 20), ("W", 30), ("N", 0))]
    value = {
        "ruleset": "bmja-u3a",
        "players": [winner, *others],
        "win": {"seat": "S", "tile": "6s", "source": "discard", "from": "N"},
    }
    return {**value, **changes}


def impossible_deal() -> dict[str, Any]:
    value = deal()
    value["players"][0]["bonus"] = ["2f", "2f"]
    return value


@pytest.mark.parametrize("indent", [None, 2])
def test_one_deal_is_scored_however_it_is_spread_over_lines(indent: int | None) -> None:
    done = run("score", "--json", given=json.dumps(deal(), indent=indent))
    assert done.exit_code == 0
    (result,) = map(json.loads, done.stdout.splitlines())
    assert list(result) == ["ruleset", "changes", "players", "payments", "net"]
    assert sum(result["net"].values()) == 0
    winner = result["players"][0]
    assert winner["total"] == winner["points"] * 2 ** winner["doubles"]
    paid = {(item["from"], item["to"]): item["amount"] for item in result["payments"]}
    assert paid["N", "S"] == winner["total"]


def test_deals_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{json.dumps(deal())}\r\n\n".encode() * 3)
    done = run("score", str(path), "--json")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 3


def test_a_bad_deal_leaves_the_others_scored() -> None:
    lines = [json.dumps(value) for value in (deal(), impossible_deal(), {"x": 1})]
    lines.insert(1, '{"players": ')
    done = run("score", "--json", given="\n".join(lines))
    assert done.exit_code == 2
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in result for result in results] == [False, True, True, True]
    assert set(results[1]["error"]) == {"player", "field", "message"}
    assert (results[2]["error"]["player"], results[2]["error"]["field"]) == ("S", "bonus")
    assert [each["code"] for each in results[1]["errors"]] == ["not_json"]
    assert [each["code"] for each in results[2]["errors"]] == ["too_many_copies"]
    assert [each["code"] for each in results[3]["errors"]] == ["unknown_key"] + 3 * ["missing_key"]
    told = done.stderr.splitlines()
    assert len(told) == 3
    assert "line 2, column" in told[0]
    assert told[1].startswith("kongbox: deal 3 (line 3): player S (South), bonus: ")
    assert results[2]["error"]["message"] in told[1]


def test_a_table_for_people_tells_every_reason_and_payment() -> None:
    done = run("score", given=json.dumps(deal()))
    result = json.loads(run("score", "--json", given=json.dumps(deal())).stdout)
    assert done.exit_code == 0
    for player in result["players"]:
        for line in player["lines"]:
            assert line["text"] in done.stdout
            assert f"[{cited(line['cite'])}]" in done.stdout
    winner = result["players"][0]["total"]
    assert f"South: {winner}\n" in done.stdout
    first = result["players"][0]
    assert f"{first['points']} x {2 ** first['doubles']} = {winner}\n" in done.stdout
    assert f"North pays South {winner}" in done.stdout
    assert f"East pays South {2 * winner}" in done.stdout
    assert f"The winner's score: {winner} x 2 for East" in done.stdout
    assert "South went out with the six bamboo that North discarded.\n" in done.stdout


def test_a_drawn_hand_says_that_nobody_pays() -> None:
    shown = [
        ["1m", "3m", "5m", "7m", "9m", "1p", "3p", "5p", "7p", "9p", "1s", "3s", wind]
        for wind in ("1z", "2z", "3z", "4z")
    ]
    players = [
        {"seat": seat, "concealed": tiles} for seat, tiles in zip("ESWN", shown, strict=True)
    ]
    done = run("score", given=json.dumps(deal(players=players, win=None)))
    assert done.exit_code == 0
    assert "Nobody pays." in done.stdout


def test_the_ruleset_can_be_chosen_on_the_command_line() -> None:
    value = deal(ruleset="somebody-else-s")
    assert run("score", given=json.dumps(value)).exit_code == 2
    done = run("score", "--ruleset", "bmja-u3a", given=json.dumps(value))
    assert done.exit_code == 0
    assert done.stdout.startswith("Scored by bmja-u3a")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"", "file: is empty"),
        (b" \n\n", "file: is empty"),
        (b"\xff\xfe{}", "not UTF-8 text"),
        (b"seat,points", "line 1, column 1"),
        (b'{"ruleset": "bmja-u3a",\n "players": [,]}', "line 2, column 14"),
        (b'{"ruleset": "a", "ruleset": "b"}', "ruleset: appears twice"),
        (b'{"ruleset": NaN}', "NaN is not a valid JSON number"),
        (b"[" * 100_000, "json: "),
        (b"[" * 61 + b"]" * 61, "too many lists inside one another"),
        (b'{"ruleset": 1e999}', "a number that is too long"),
        (b'{"points": ' + b"9" * 5000 + b"}", "json: "),
        (b"[]", "deal"),
        (b"3", "deal"),
    ],
)
def test_what_is_no_deal_is_told_in_one_line(given: bytes, words: str) -> None:
    done = run("score", given=given)
    assert done.exit_code == 2
    assert done.stdout == ""
    (told,) = done.stderr.splitlines()
    assert told.startswith("kongbox: ")
    assert words in told


def test_a_file_that_is_not_there_is_told() -> None:
    done = run("score", "no-such-file.json")
    assert done.exit_code == 2
    assert "no-such-file.json" in done.stderr


def test_separators_within_names_do_not_split_a_deal() -> None:
    text = json.dumps(deal(), ensure_ascii=False).replace(
        '"seat": "S"', '"seat": "S", "name": "a\u2028b"'
    )
    documents = read_documents(f"{text}\n{text}".encode())
    assert [document.error for document in documents] == [None, None]
    assert [document.line for document in documents] == [1, 2]


def test_a_damaged_document_over_several_lines_is_one_error() -> None:
    text = json.dumps(deal(), indent=1).replace('"source"', "source")
    (document,) = read_documents(text.encode())
    assert isinstance(document.error, DealError)
    assert "line" in document.error.message


@pytest.fixture
def seen_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photo that is read as a hand with a kong laid down concealed, half of it not surely."""
    laid = lay("back 8s 8s back|1f", "123m 456p 789s 7z")
    detector, classifier = models_that_see(laid.quads, laid.labels, confidence=0.7)
    classifier.probabilities[8:] = sure_of(laid.labels[8:], 0.99)
    reader = reader_with(detector, classifier)
    monkeypatch.setattr("vision.open_reader", lambda _profile: reader)
    picture = drawing(900, 400)
    for quad, label in zip(laid.quads, laid.labels, strict=True):
        colour = (40, 120, 20) if label == "back" else (230, 240, 245)
        cv2.fillConvexPoly(picture, quad.astype(np.int32), colour)
    path = tmp_path / "south.png"
    path.write_bytes(encoded(picture, ".png"))
    return path


def test_photos_are_read_one_line_each(seen_photo: Path) -> None:
    bad = seen_photo.with_name("text.jpg")
    bad.write_text("no photo")
    missing = seen_photo.with_name("missing.jpg")
    done = run("read", str(bad), str(missing), str(seen_photo), "--json")
    assert done.exit_code == 2
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["photo"] for result in results] == [str(bad), str(missing), str(seen_photo)]
    assert "a text file" in results[0]["error"]
    assert "No such file" in results[1]["error"]
    assert (results[2]["width"], results[2]["height"]) == (900, 400)
    assert results[2]["hands"][0]["bonus"] == ["1f"]
    told = done.stderr.splitlines()
    assert len(told) == 2
    assert told[0] == f"kongbox: {bad}: {results[0]['error']}"


def test_a_reading_for_people_names_sets_doubts_and_warnings(seen_photo: Path) -> None:
    done = run("read", str(seen_photo))
    assert done.exit_code == 0
    assert f"{seen_photo}: 15 tiles in 2 rows" in done.stdout
    assert "in hand         123m 456p 789s 7z" in done.stdout
    assert "concealed kong  8888s" in done.stdout
    assert "bonus           1f" in done.stdout
    assert "? tile 6 (row 2): one character 70%" in done.stdout
    doubtful = done.stdout.count("  ? tile ")
    assert f"! {doubtful} tiles are hard to read" in done.stdout
    assert doubtful == 6


def test_missing_models_are_told_in_one_line(
    seen_photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_profile: object) -> None:
        raise ModelError(Message("The model file detector.onnx is missing."))

    monkeypatch.setattr("vision.open_reader", fail)
    done = run("read", str(seen_photo))
    assert done.exit_code == 1
    assert done.stderr == "Error: The model file detector.onnx is missing.\n"


def test_check_compares_every_model_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vision.runtime.registry.files", lambda _package: tmp_path)
    missing = run("check")
    assert missing.exit_code == 1
    assert "registry.toml, is missing" in missing.stderr
    (tmp_path / "registry.toml").write_text(
        f'[reader]\nfile = "reader.onnx"\nsha256 = "{"0" * 64}"\nversion = "1"\n'
    )
    (tmp_path / "reader.onnx").write_bytes(b"changed")
    changed = run("check")
    assert changed.exit_code == 1
    assert "reader.onnx is damaged" in changed.stderr


class Served:
    """Stands in for the server: notes how it was called, and fails if told to."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.called_with: tuple[str, int, str | None] | None = None
        self.encrypted = False

    def __call__(
        self,
        host: str,
        port: int,
        db: str | None,
        *,
        encrypted: bool,
        serving: Serving,
        announce: Callable[[], None],
        told: Callable[[str], object],  # noqa: ARG002 - nobody lets phones in here
        again: bool,
    ) -> None:
        self.called_with = (host, port, db)
        assert serving is Serving.CLUB
        assert not again, "how it is started decides who is let in"
        self.encrypted = encrypted
        if self.failure is not None:
            raise self.failure
        announce()


def serve(monkeypatch: pytest.MonkeyPatch, served: Served, *arguments: str) -> Result:
    monkeypatch.setattr("webapp.server.serve", served)
    monkeypatch.setattr("vision.model_versions", dict)
    return run("serve", *arguments)


def test_serving_prints_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    served = Served()
    monkeypatch.setattr("webapp.cli.serve.require_free", lambda _host, _port: None)
    done = serve(monkeypatch, served)
    assert done.exit_code == 0
    assert "http://127.0.0.1:8000/" in done.stdout
    assert served.called_with == ("127.0.0.1", 8000, None)


def test_https_is_for_the_whole_wifi_unless_a_host_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served = Served()
    monkeypatch.setattr("webapp.cli.serve.require_free", lambda _host, _port: None)
    monkeypatch.setattr("webapp.serving.addresses.own_address", lambda _version=4: "192.168.1.7")
    done = serve(monkeypatch, served, "--https")
    assert "http://192.168.1.7:8000/trust says how" in done.stdout
    assert served.called_with == ("0.0.0.0", 8000, None)
    assert served.encrypted
    serve(monkeypatch, served, "--https", "--host", "192.168.1.7")
    assert served.called_with == ("192.168.1.7", 8000, None)


@pytest.mark.parametrize("host", ["::", "0.0.0.0"])
def test_without_a_network_no_address_is_shown_to_phones(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr("webapp.cli.serve.require_free", lambda _host, _port: None)
    monkeypatch.setattr("webapp.serving.addresses.own_address", lambda _version=4: None)
    done = serve(monkeypatch, Served(), "--host", host)
    assert f"no network that {host} stands for" in done.stdout
    assert "Phones" not in done.stdout


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_serving_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    served, port = Served(), free_port()
    done = serve(
        monkeypatch, served, "--host", "localhost", "--port", str(port), "--db", "sqlite:///x"
    )
    assert f"http://localhost:{port}/" in done.stdout
    assert served.called_with == ("localhost", port, "sqlite:///x")


def test_an_address_with_colons_is_put_in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.cli.serve.require_free", lambda _host, _port: None)
    assert (
        "http://[::1]:81/" in serve(monkeypatch, Served(), "--host", "::1", "--port", "81").stdout
    )


def test_an_address_in_use_is_told_before_any_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    served = Served()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve(monkeypatch, served, "--port", str(port))
    assert done.exit_code == 1
    assert done.stdout == ""
    assert f"127.0.0.1:{port} cannot be listened on" in done.stderr
    assert served.called_with is None


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (OSError(98, "Address already in use"), "cannot be listened on (Address already in use)"),
        (DatabaseError("The database cannot be opened."), "The database cannot be opened."),
        (NoHttps("Certificates cannot be made."), "Certificates cannot be made."),
    ],
)
def test_what_hinders_serving_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, words: str
) -> None:
    done = serve(monkeypatch, Served(failure), "--port", str(free_port()))
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("port", ["0", "70000", "eighty"])
def test_impossible_ports_are_refused(port: str) -> None:
    assert run("serve", "--port", port).exit_code == 2


def test_the_version_is_the_installed_one() -> None:
    assert version("kongbox") in run("--version").stdout


def test_scoring_does_not_load_the_recogniser() -> None:
    import subprocess

    code = "import sys; from webapp.cli.main import main; main(['score'], standalone_mode=False)\n"
    check = "import atexit, sys; atexit.register(lambda: print(sorted(sys.modules)));" + code
    done = subprocess.run(
        [sys.executable, "-c", check],
        input=json.dumps(deal()),
        capture_output=True,
        text=True,
        check=False,
    )
    modules = done.stdout.splitlines()[-1]
    assert "'scorer.evaluation.evaluate'" in modules
    assert "'onnxruntime'" not in modules


def test_reading_loads_no_page_no_database_and_no_forms() -> None:
    import subprocess

    code = (
        "import sys, webapp.cli.main, webapp.cli.photos.read, webapp.cli.output.reading;"
        "import vision.shipped; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "vision.pipeline" in modules
    assert modules & {"flask", "sqlalchemy", "alembic", "pydantic"} == set()


def test_the_help_lists_every_command_with_what_it_does() -> None:
    told = dict(re.findall(r"^  ([a-z]+) {2,}(\S.*)$", run("--help").stdout, re.MULTILINE))
    assert set(told) == set(main.commands)


def test_the_package_knows_its_names() -> None:
    for name in vision.__all__:
        assert getattr(vision, name).__name__ == name
    unknown = "read_video"
    with pytest.raises(AttributeError, match=unknown):
        getattr(vision, unknown)


def test_a_count_is_shown_as_players_count_it() -> None:
    south: dict[str, Any] = {
        "seat": "S",
        "concealed": ["2m", "2m", "2m", "3z", "3z"],
        "melds": [
            {"kind": "pung", "tiles": ["3s"] * 3, "concealed": False},
            {"kind": "pung", "tiles": ["4p"] * 3, "concealed": False},
            {"kind": "pung", "tiles": ["9p"] * 3, "concealed": False},
        ],
        "bonus": ["1f"],
    }
    others = [{"seat": seat, "claimed": 0} for seat in "EWN"]
    win = {"seat": "S", "tile": "2m", "source": "wall"}
    told = {"ruleset": "ming-1876", "players": [south, *others], "win": win}
    shown = run("score", given=json.dumps(told)).stdout
    assert " 4 x 4 = 16\n" in shown
    south["bonus"] = []
    told["win"] = {"seat": "S", "tile": "2m", "source": "discard", "from": "N"}
    assert " 2 1/2 x 4 = 10\n" in run("score", given=json.dumps(told)).stdout


def test_a_goulash_says_so_and_its_jokers_what_they_stand_for() -> None:
    south = {
        "seat": "S",
        "concealed": ["5s", "5s", "2s", "4p", "4p", "4p", "9m", "9m", "9m", "3z", "2s"],
        "melds": [{"kind": "pung", "tiles": ["7z", "7z", "2s"], "concealed": False}],
    }
    others = [{"seat": seat, "claimed": 0} for seat in "EWN"]
    win = {"seat": "S", "tile": "3z", "source": "wall"}
    told = {"ruleset": "bmja-u3a", "goulash": True, "players": [south, *others], "win": win}
    shown = run("score", given=json.dumps(told)).stdout
    assert "A goulash: the two bamboo is the joker.\n" in shown
    assert "  Pung of five bamboo, concealed, two bamboo as five bamboo\n" in shown
    assert "  Pung of Red dragon, exposed, two bamboo as Red dragon\n" in shown
    assert "  Pair of West wind, two bamboo as West wind\n" in shown
