"""What the score command makes of files that hold more or less than deals, and its house rules."""

from __future__ import annotations

import json

import pytest

import scorer
from tests.webapp.cli.test_main import deal, run
from webapp.deal.documents import read_documents


@pytest.mark.parametrize("line", ['{"x": 1}', "[]", "garbage", '{"players": '])
def test_lines_are_told_apart_though_none_of_them_can_be_scored(line: str) -> None:
    bare = '{"ruleset": "bmja-u3a"}'
    for lines in ([line, bare], [bare, line]):
        done = run("score", "--json", given="\n".join(lines))
        assert done.exit_code == 2
        results = [json.loads(out)["error"] for out in done.stdout.splitlines()]
        assert len(results) == len(done.stderr.splitlines()) == 2


def test_one_line_that_is_no_text_leaves_the_others_scored() -> None:
    good = json.dumps(deal()).encode()
    done = run("score", "--json", given=b"\n".join([good, b'{"name": "\xff"}', good]))
    assert done.exit_code == 2
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in result for result in results] == [False, True, False]
    (told,) = done.stderr.splitlines()
    assert "deal 2 (line 2): file: is not UTF-8 text (byte 11 of line 2" in told


def test_a_key_written_twice_is_told_safely_and_with_its_player() -> None:
    text = json.dumps(deal())
    twice = text.replace('"seat": "E"', '"seat": "E", "claimed": 0', 1)
    error = json.loads(run("score", "--json", given=twice).stdout)["error"]
    assert (error["player"], error["field"]) == ("E", "claimed")
    odd = text[:-1] + r', "\ud800\u001b": 1, "\ud800\u001b": 2}'
    done = run("score", "--json", given=odd)
    assert json.loads(done.stdout)["error"]["field"] == "??"
    assert done.stderr.startswith("kongbox: ??: appears twice")


def test_a_list_of_deals_is_scored_like_deals_on_lines() -> None:
    line = json.dumps(deal())
    listed = run("score", "--json", given=f"[\n{line},\n{line}\n]")
    assert listed.exit_code == 0
    assert listed.stdout == run("score", "--json", given=f"{line}\n{line}").stdout
    mixed = run("score", "--json", given=f"\n[{line}, 7, {line}]")
    assert mixed.exit_code == 2
    results = [json.loads(out) for out in mixed.stdout.splitlines()]
    assert ["error" in result for result in results] == [False, True, False]
    assert "deal 2 (line 2): deal: needs a JSON object" in mixed.stderr
    none = run("score", given="[]")
    assert none.exit_code == 2
    assert "is empty: a deal as JSON is needed" in none.stderr


def test_a_damaged_document_after_blank_lines_tells_its_own_line() -> None:
    (document,) = read_documents(b'\n\n{\n"players": [,]}')
    assert document.line == 3
    assert "line 4, column 13" in str(document.error)


def test_the_table_says_which_house_rules_were_used() -> None:
    given = json.dumps(deal(changes={"limit": 500, "losers_settle": False}))
    assert "House rules: limit = 500, losers_settle = false" in run("score", given=given).stdout


def test_house_rules_are_listed() -> None:
    done = run("rules", "options")
    assert done.exit_code == 0
    assert "limit = 1000  (10 to 100000)" in done.stdout
    assert "snake_pair = ones  (ones: Only the ones; any: Any number)" in done.stdout
    assert "purity = true  (true or false)" in done.stdout
    listed = [json.loads(line) for line in run("rules", "options", "--json").stdout.splitlines()]
    for option in listed:
        changes = {option["id"]: option["default"]}
        assert run("score", given=json.dumps(deal(changes=changes))).exit_code == 0
    unknown = run("rules", "options", "--ruleset", "nobody-s")
    assert unknown.exit_code == 2
    assert unknown.stderr.startswith("kongbox: unknown ruleset 'nobody-s'; choose from ")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_deal_on_which_the_program_fails_leaves_the_others_scored(
    monkeypatch: pytest.MonkeyPatch, *, as_json: bool
) -> None:
    real = scorer.score_deal

    def failing(asked: scorer.Deal) -> scorer.DealResult:
        if asked.round_wind == "N":
            raise RuntimeError("generator raised StopIteration")
        return real(asked)

    monkeypatch.setattr(scorer, "score_deal", failing)
    good, bad = json.dumps(deal()), json.dumps(deal(round_wind="N"))
    options = ["--json"] if as_json else []
    done = run("score", *options, given=f"{good}\n{bad}\n{good}")
    assert done.exit_code == 2
    (told,) = done.stderr.splitlines()
    assert told == (
        "kongbox: deal 2 (line 2): deal: this is a fault in the program, not your mistake "
        "(RuntimeError); please report it with this deal"
    )
    if as_json:
        results = [json.loads(line) for line in done.stdout.splitlines()]
        assert ["error" in result for result in results] == [False, True, False]
    else:
        assert done.stdout.count("Gains and losses") == 2


def test_a_dead_hand_is_told_under_rules_that_do_not_speak_of_it() -> None:
    dead = deal(ruleset="ming-1876")
    dead["players"][1] = {"seat": dead["players"][1]["seat"], "claimed": 0, "status": "dead"}
    done = run("score", given=json.dumps(dead))
    assert done.exit_code == 0, done.stderr
    assert 'Scores nothing: these rules do not mention "a dead hand"\n' in done.stdout
