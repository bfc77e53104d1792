"""``kongbox seat`` draws tables, and tells in words what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from webapp.cli.main import main


def test_tables_are_drawn_as_json() -> None:
    run = CliRunner().invoke(main, ["seat", "--players", "20", "--rounds", "4", "--json"])
    told = json.loads(run.stdout)
    assert run.exit_code == 0
    assert [len(round_["tables"]) for round_ in told["rounds"]] == [5, 5, 5, 5]
    assert told["rounds"][0]["tables"][0]["table"] == 1
    assert set(told["rounds"][0]["tables"][0]["seats"]) == set("ESWN")
    assert told["lacking"] == []
    again = ["seat", "--players", "20", "--rounds", "4", "--json", "--seed", str(told["seed"])]
    assert json.loads(CliRunner().invoke(main, again).stdout) == told


def test_names_and_wishes_are_told_in_words(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ann\nBob\n\nCarol\nDave\nEve\n", encoding="utf-8")
    run = CliRunner().invoke(main, ["seat", "--players", str(names), "--apart", "Ann", "Bob"])
    assert run.exit_code == 0
    assert "sits out the first hand" in run.stdout
    assert "Not given: Ann, Bob asked to sit apart but meet (round 1)." in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--at", "Ann", "1"], "Ann: not on the list of players. Add the name first."),
        (["--apart", "Player 1", "Zoe"], "Zoe: not on the list of players. Add the name first."),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: list[str], words: str) -> None:
    run = CliRunner().invoke(main, ["seat", "--players", "4", "--json", *arguments])
    assert run.exit_code == 2
    assert words in run.stderr
    assert json.loads(run.stdout)["error"]["message"] == words


def test_neither_a_number_nor_names_is_told() -> None:
    run = CliRunner().invoke(main, ["seat", "--players", "nowhere.txt"])
    assert run.exit_code == 1
    assert "nowhere.txt is neither a number nor a file of names" in run.stderr


@pytest.mark.parametrize("players", ["2", "201", "9" * 5000])
def test_too_few_and_too_many_are_refused(players: str) -> None:
    run = CliRunner().invoke(main, ["seat", "--players", players])
    assert run.exit_code == 1
    assert "Tables are drawn for 3 to 200 players." in run.stderr
