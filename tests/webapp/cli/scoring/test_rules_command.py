"""``kongbox rules``: rulesets listed, shown, compared and checked on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scorer.english.sources import cited
from scorer.explain.difference import differences
from scorer.rules.rulebook import forget_files, load_ruleset, ruleset_ids
from webapp.cli.main import main

CLUB = """id = "our-club"
name = "Our club"
description = "As we have always played it."
base = "bmja-mjbr"

[changes]
limit = 500
purity = false
"""


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A club's folder with its ruleset file."""
    (tmp_path / "our-club.toml").write_text(CLUB, "utf-8")
    monkeypatch.setenv("KONGBOX_RULESETS", str(tmp_path))
    forget_files()
    yield tmp_path
    monkeypatch.undo()
    forget_files()


@pytest.mark.usefixtures("folder")
def test_all_rulesets_are_listed() -> None:
    done = run("rules", "list")
    assert done.exit_code == 0
    starts = [line.partition(":")[0] for line in done.stdout.splitlines() if line[:1].strip()]
    assert starts == list(ruleset_ids())
    assert "bmja-u3a: British (BMJA), U3A course, the usual one" in done.stdout
    assert "Builds on bmja-mjbr.\n    House rules: limit = 500, purity = false" in done.stdout


def test_the_list_as_json() -> None:
    listed = [json.loads(line) for line in run("rules", "list", "--json").stdout.splitlines()]
    assert [item["id"] for item in listed] == list(ruleset_ids())
    assert {item["id"]: item["base"] for item in listed}["bmja-mjbr"] == "bmja-u3a"


def test_the_list_tells_of_a_faulty_file(folder: Path) -> None:
    (folder / "bad.toml").write_text("id = ", "utf-8")
    forget_files()
    done = run("rules", "list")
    assert done.exit_code == 2
    assert "our-club: Our club" in done.stdout
    assert done.stderr.startswith("kongbox: bad.toml: the whole file: Invalid value")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ruleset_ids())
def test_a_ruleset_is_shown_with_all_that_scores_and_its_citations(name: str) -> None:
    done = run("rules", "show", name)
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    ruleset = load_ruleset(name)
    assert all(f"[{cited(rule.cite)}]" in words for rule in ruleset.rule)
    for special in ruleset.special_hand:
        assert special.name in words
        assert " ".join(special.description.split()) in words
        assert f"[{cited(special.cite)}]" in words
    assert all(f"{it.name} [{cited(it.cite)}] {it.help}" in words for it in ruleset.penalty)
    assert f"{ruleset.settlement.text}" in words
    assert "{" not in words


def test_points_and_doubles_stand_under_who_earns_them() -> None:
    shown = run("rules", "show", "bmja-mjbr").stdout
    sections = {part.splitlines()[0]: part for part in shown.split("\n\n")}
    assert "   8  Concealed pung of majors" in sections["Points: every player"]
    assert "  20  Going Mah Jong" in sections["Points: the winner"]
    assert "   1  Set of dragons" in sections["Doubles: every player"]
    assert "   1  No chows" in sections["Doubles: the winner"]
    assert "bonus tiles are doubled again" in sections["Flowers and seasons with special hands"]
    assert "Won as East" in sections["Not played unless a club switches it on"]
    assert "Knitting: 500, fishing 200" in sections["Special hands"]
    assert "1000 points, the most that any hand scores." in sections["How it is played"]


def test_the_usual_ruleset_is_shown_by_default() -> None:
    assert run("rules", "show").stdout == run("rules", "show", "bmja-u3a").stdout


def test_a_ruleset_as_json() -> None:
    shown = json.loads(run("rules", "show", "bmja-mjbr", "--json").stdout)
    assert shown["limit"]["caps_ordinary"] is True
    assert [item["id"] for item in shown["rule"]] == [
        it.id for it in load_ruleset("bmja-mjbr").rule
    ]


def test_a_clubs_file_is_shown_and_compared_by_its_path(folder: Path) -> None:
    path = str(folder / "our-club.toml")
    assert "500 points, the most that any hand scores." in run("rules", "show", path).stdout
    done = run("rules", "diff", "bmja-mjbr", path)
    assert done.exit_code == 0
    assert "      Limit: 1000 -> 500" in done.stdout
    assert "  purity (Purity)\n      enabled: yes -> no" in done.stdout


def test_two_rulesets_are_compared() -> None:
    done = run("rules", "diff", "bmja-u3a", "bmja-mjbr")
    assert done.exit_code == 0
    for line in (
        "Ordinary hands stop at the limit: no -> yes",
        "Last tile of Buried Treasure: Drawn only -> Drawn or claimed",
        "Extra tile in the Gates of Heaven: Any number -> Two to eight",
        "only in bmja-mjbr",
    ):
        assert f"      {line}\n" in done.stdout
    assert "cite" not in done.stdout
    assert (
        "cite: U3A course, sheet 17: Doubles -> Mah-Jong, British Rules, Winds"
        in run(*("rules", "diff", "bmja-u3a", "bmja-mjbr", "--citations")).stdout
    )


@pytest.mark.parametrize("other", ruleset_ids())
def test_every_difference_is_told(other: str) -> None:
    found = differences(load_ruleset("bmja-u3a"), load_ruleset(other))
    told = run("rules", "diff", "bmja-u3a", other, "--json").stdout.splitlines()
    assert [json.loads(line)["id"] for line in told] == [gap.id for gap in found]
    text = run("rules", "diff", "bmja-u3a", other).stdout
    assert all(f"\n  {gap.id} (" in text for gap in found if gap.id)
    assert ("They do not differ." in text) is (other == "bmja-u3a")


def test_an_unknown_ruleset_is_refused() -> None:
    for command in (("show", "x"), ("diff", "bmja-u3a", "x"), ("options", "--ruleset", "x")):
        done = run("rules", *command)
        assert done.exit_code == 2
        assert done.stdout == ""
        assert done.stderr.startswith("kongbox: unknown ruleset 'x'; choose from bmja-u3a")


def test_files_are_checked(folder: Path) -> None:
    bad = folder / "bad.toml"
    bad.write_text(CLUB.replace("limit = 500", "limit = 5"), "utf-8")
    done = run("rules", "check", str(folder / "our-club.toml"), str(bad), str(folder / "none.toml"))
    assert done.exit_code == 2
    assert done.stdout == "our-club.toml: fits, as our-club (Our club)\n"
    assert done.stderr.splitlines() == [
        "kongbox: bad.toml: changes: limit needs a whole number from 10 to 100000",
        "kongbox: none.toml: the whole file: cannot be read: No such file or directory",
    ]
    assert run("rules", "check", str(folder / "our-club.toml")).exit_code == 0


def test_the_file_that_the_documents_show_can_be_used(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[4] / "docs" / "RULESETS.md").read_text("utf-8")
    (shown,) = re.findall(r"^```toml\n(id = .*?)^```", readme, re.MULTILINE | re.DOTALL)
    path = tmp_path / "our-club.toml"
    path.write_text(shown, "utf-8")
    assert (
        run("rules", "check", str(path)).stdout == "our-club.toml: fits, as our-club (Our club)\n"
    )
    told = run("rules", "diff", "bmja-mjbr", str(path)).stdout
    assert "Points for going out: 20 -> 10" in told
    assert "flower_pair (The own flower and season together)\n      only in our-club" in told


def test_the_house_rules_of_a_ruleset_are_listed() -> None:
    done = run("rules", "options", "--ruleset", "bmja-mjbr")
    assert done.exit_code == 0
    assert "clean_concealed = both  (both: Both doubles; concealed: Only the double" in done.stdout
    assert "limit_caps_ordinary = true  (true or false)" in done.stdout
    listed = [json.loads(line) for line in run("rules", "options", "--json").stdout.splitlines()]
    assert [item["id"] for item in listed] == [it.id for it in load_ruleset("bmja-u3a").options()]


@pytest.mark.usefixtures("folder")
def test_a_deal_is_scored_by_a_clubs_ruleset() -> None:
    wonders = ["1m", "9m", "1p", "9p", "1s", "9s", *(f"{n}z" for n in range(1, 8)), "7z"]
    others = [{"seat": seat, "claimed": 0} for seat in "EWN"]
    value = {
        "ruleset": "bmja-u3a",
        "players": [{"seat": "S", "concealed": wonders}, *others],
        "win": {"seat": "S", "tile": "7z", "source": "wall"},
    }
    done = run("score", "--ruleset", "our-club", "--json", given=json.dumps(value))
    assert done.exit_code == 0
    result = json.loads(done.stdout)
    assert (result["ruleset"], result["players"][0]["total"]) == ("our-club", 500)
    told = run("score", "--ruleset", "our-club", given=json.dumps(value)).stdout.splitlines()
    assert told[0] == "Scored by our-club, which is bmja-mjbr with limit = 500, purity = false"


def test_a_deal_that_names_a_faulty_ruleset_is_refused(folder: Path) -> None:
    (folder / "our-club.toml").write_text(CLUB + "luck = 7\n", "utf-8")
    forget_files()
    value: dict[str, object] = {"ruleset": "our-club", "players": [], "win": None}
    done = run("score", given=json.dumps(value))
    assert done.exit_code == 2
    assert "our-club.toml: changes: unknown option 'luck'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_page_opens_all_the_same_and_the_fault_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bad.toml").write_text("id = 7", "utf-8")
    forget_files()
    monkeypatch.setattr("webapp.server.serve", lambda *_, announce, **_told: announce())
    monkeypatch.setattr("webapp.cli.serve.require_free", lambda *_: None)
    monkeypatch.setattr("vision.model_versions", dict)
    done = run("serve")
    assert done.exit_code == 0
    assert "Kongbox is open at" in done.stdout
    assert done.stderr == "kongbox: bad.toml: id: needs a name of its own, such as 'our-club'\n"


def test_a_special_hand_that_cannot_be_is_refused_by_its_conditions(tmp_path: Path) -> None:
    hand = """
[[special_hand]]
id = "never"
name = "Never"
description = "Cannot be."
shape = "sets"
won = { limit = "1/2" }
cite = "our table"
when = ["no_honours", "all_honours"]
"""
    file = tmp_path / "ours.toml"
    file.write_text(CLUB + hand, "utf-8")
    done = run("rules", "check", str(file))
    assert done.exit_code == 2
    assert done.stderr == (
        "kongbox: ours.toml: special_hand.never: no hand can ever meet this: when no_honours and "
        "when all_honours; remove or change one of these\n"
    )
