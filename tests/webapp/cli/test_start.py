"""``kongbox`` without a command, and what the help of the commands says."""

from __future__ import annotations

import http.server
import json
import re
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from webapp.cli.listed import LISTED
from webapp.cli.main import Later, main
from webapp.cli.output import opening
from webapp.cli.output.examples import EXAMPLES
from webapp.cli.output.opening import Place, place_to_serve
from webapp.server import Serving
from webapp.serving.addresses import qr_terminal


@contextmanager
def answering(told: object) -> Iterator[int]:
    """The port of a program on this computer that answers everything with this JSON."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened in the browser."""
    addresses: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", addresses.append)
    return addresses


def test_a_page_that_is_open_already_is_only_opened(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    with answering({"status": "ok", "kongbox": "0.1.0"}) as port:
        monkeypatch.setattr("webapp.cli.serve.place_to_serve", lambda: place_to_serve([port]))
        done = CliRunner().invoke(main, [])
    assert done.exit_code == 0
    assert done.output == f"Kongbox is open already, at http://127.0.0.1:{port}/\n"
    assert opened == [f"http://127.0.0.1:{port}/"]


def test_without_a_command_the_page_is_served_and_opened(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    def serve(
        host: str,
        port: int,
        db: str | None,
        *,
        encrypted: bool,
        serving: Serving,
        announce: Callable[[], object],
        told: Callable[[str], object],
        again: bool,
    ) -> None:
        assert serving is Serving.CLUB
        assert (host, db, encrypted, again) == ("127.0.0.1", None, False, True)
        announce()
        told("http://192.168.1.7/")
        monkeypatch.setattr(opening, "is_served", lambda asked: asked == port)
        for thread in threading.enumerate():
            if thread.name == "browser":
                thread.join(5)

    with socket.create_server(("127.0.0.1", 0)) as free:
        place = Place(free.getsockname()[1], served=False)
    monkeypatch.setattr("webapp.cli.serve.place_to_serve", lambda: place)
    monkeypatch.setattr("webapp.server.serve", serve)
    monkeypatch.setattr("vision.model_versions", dict)
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 0
    (address,) = opened
    assert f"Kongbox is open at {address} (stop it with Ctrl+C)" in done.output
    code = click.unstyle(qr_terminal("http://192.168.1.7/"))
    assert f"{code}Phones in the same Wi-Fi open http://192.168.1.7/ with this code." in done.output


def test_a_port_that_another_program_has_is_passed_by() -> None:
    with answering({"status": "ok"}) as taken, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        assert place_to_serve([taken, port]) == Place(port, served=False)
        assert place_to_serve([taken]) == Place(taken, served=False)


def test_a_page_that_is_open_on_a_later_port_is_found() -> None:
    with answering({"kongbox": "0.1.0"}) as port, socket.create_server(("127.0.0.1", 0)) as free:
        first = free.getsockname()[1]
        free.close()
        assert place_to_serve([first, port]) == Place(port, served=True)


def test_what_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ANSWER_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not opening.is_served(silent.getsockname()[1])


def test_no_browser_is_opened_where_there_is_no_screen(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not opening.open_page("http://127.0.0.1:8000/")
    assert opened == []


def commands() -> dict[str, click.Command]:
    """Every command and command within a command, with the words that name it."""

    def within(group: click.Group, before: str) -> Iterator[tuple[str, click.Command]]:
        for name, found in group.commands.items():
            words = f"{before} {name}".lstrip()
            if isinstance(found, click.Group):
                yield words, found
                yield from within(found, words)
            else:
                assert isinstance(found, Later)
                yield words, found.imported()

    return dict(within(main, ""))


def test_lists_tell_of_each_command_what_it_tells_itself() -> None:
    found = commands()
    assert list(found) == list(LISTED)
    for words, command in found.items():
        told = LISTED[words].told
        if isinstance(command, click.Group):
            assert command.get_short_help_str() == told.partition("\n\n")[0]
            continue
        assert " ".join((command.help or "").partition("\n\n")[0].split()) == told
        assert command.name == words.split()[-1]


IN_NO_TIME = """\
import sys
from webapp.cli.main import main
try:
    main(sys.argv[1:], prog_name="kongbox")
finally:
    heavy = {"pydantic", "sqlalchemy", "flask", "numpy", "cv2", "scorer.rules.ruleset"}
    print(*sorted(heavy & set(sys.modules)), *(m for m in sys.modules if m in PLACES))
"""


@pytest.mark.parametrize(
    "typed", ["--help", *(f"{words} --help" for words, it in LISTED.items() if it.place is None)]
)
def test_a_list_of_commands_imports_none_of_them(typed: str) -> None:
    places = {(listed.place or "").partition(":")[0] for listed in LISTED.values()}
    code = f"PLACES = {places!r}\n{IN_NO_TIME}"
    done = subprocess.run(
        [sys.executable, "-c", code, *typed.split()], capture_output=True, text=True, check=True
    )
    *shown, imported = done.stdout.splitlines()
    assert "Commands:" in shown
    assert imported == ""


def completed(typed: str, incomplete: str) -> dict[str, str | None]:
    """What the shell offers behind what is typed, with what it tells of each."""
    items = ShellComplete(main, {}, "kongbox", "_KONGBOX_COMPLETE").get_completions(
        typed.split(), incomplete
    )
    return {item.value: item.help for item in items}


def test_the_shell_completes_names_of_commands_and_their_options() -> None:
    assert set(completed("", "")) == set(main.commands)
    assert completed("", "sco") == {"score": LISTED["score"].told}
    assert set(completed("", "re")) == {"read", "reread", "restore"}
    assert completed("rules", "ch") == {"check": LISTED["rules check"].told}
    assert set(completed("score", "--all")) == {"--all-readings"}
    assert set(completed("users add", "--ro")) == {"--role"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("scroe", "score"), ("palyers", "players"), ("rules chek", "check"), ("users ad", "add")],
)
def test_a_mistyped_command_is_told_with_the_one_that_was_meant(typed: str, meant: str) -> None:
    done = CliRunner().invoke(main, typed.split())
    assert done.exit_code == 2
    assert re.search(rf"Did you mean.*'{meant}'", done.stderr), done.stderr


def test_the_help_of_each_command_is_sentences_and_an_example() -> None:
    found = commands()
    assert set(found) == set(EXAMPLES)
    for words, command in found.items():
        told = CliRunner().invoke(main, [*words.split(), "--help"]).output
        assert f"Example:\n    {EXAMPLES[words]}\n" in told
        assert (command.help or "").rstrip().endswith((".", ":")), words
        options = [each for each in command.params if isinstance(each, click.Option)]
        assert [each.name for each in options if not (each.help or "").endswith(".")] == [], words


def test_each_example_can_be_typed() -> None:
    found = commands()
    for words, line in EXAMPLES.items():
        program, *typed = shlex.split(line)
        named = max((each for each in found if typed[: len(each.split())] == each.split()), key=len)
        assert (program, named.startswith(words)) == ("kongbox", True)
        command = found[named]
        context = click.Context(command)
        values, left, _ = command.make_parser(context).parse_args(typed[len(named.split()) :])
        needed = {each.name for each in command.params if each.required}
        assert left == [], line
        assert needed <= {name for name, value in values.items() if value}, line


def test_the_list_of_commands_tells_whole_sentences() -> None:
    told = CliRunner().invoke(main, ["--help"]).output
    assert "..." not in told.partition("Commands:")[2]
    assert "kongbox score deal.json   scores a deal" in told
