"""Every command: where it is found, and what lists of commands tell of it.

None of them is imported for a list, nor for the shell's completion.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple


class Listed(NamedTuple):
    """A command; or a group of commands, which has no place of its own.

    Attributes:
        told: the first paragraph of its help; of a group all of it.
        place: the module and the name in it under which it is found.
    """

    told: str
    place: str | None = None


LISTED: Final = MappingProxyType(
    {
        "backup": Listed(
            "Copy everything to the new FILE; safe while the page is being used.",
            "webapp.cli.club.backup:backup",
        ),
        "board": Listed(
            ("Show the leader board: points, hands won, average payment, best hand, rating."),
            "webapp.cli.club.book:board",
        ),
        "check": Listed(
            ("Check the installation and the integrity of the history."),
            "webapp.cli.club.check:check",
        ),
        "compare": Listed(
            ("Show side by side what several rulesets make of a DEAL, and which lines differ."),
            "webapp.cli.scoring.compare:compare_deal",
        ),
        "demo": Listed("Make up evenings, to see what the book shows."),
        "demo season": Listed(
            "Fill an empty database with made-up weekly evenings.",
            "webapp.cli.club.book:demo_season",
        ),
        "export": Listed(
            ("Write everything to the new ZIP FILE, as JSON lines and photos; safe while in use."),
            "webapp.cli.club.book:export_all",
        ),
        "game": Listed(
            "Follow a game from FILE, or from standard input.", "webapp.cli.scoring.game:game"
        ),
        "import": Listed(
            "Take everything from FILE, made by kongbox export, into an empty database.",
            "webapp.cli.club.book:import_all",
        ),
        "photos": Listed("Say how long photos are kept, or give them to the project."),
        "photos clean": Listed(
            "Delete the photos that are older than the club keeps them.",
            "webapp.cli.club.book:clean",
        ),
        "photos donate": Listed(
            (
                "Write the photos and what people said of their tiles to the new ZIP FILE, "
                "without names."
            ),
            "webapp.cli.photos.donate:donate",
        ),
        "photos keep": Listed(
            "Keep photos always, for the evening only, or for so many DAYS.",
            "webapp.cli.club.book:keep",
        ),
        "players": Listed("Import, rename, export and erase players."),
        "players erase": Listed(
            ("Replace NAME by a neutral one everywhere, and delete the photos of their hands."),
            "webapp.cli.club.players:erase",
        ),
        "players export": Listed(
            "Write everything about NAME to the new ZIP FILE.", "webapp.cli.club.players:export"
        ),
        "players import": Listed(
            ("Take a list of players, saved as XLSX or CSV, into the book; it is shown first."),
            "webapp.cli.club.lists:import_list",
        ),
        "players list": Listed(
            "List everybody in the book, with earlier names.", "webapp.cli.club.players:listed"
        ),
        "players rename": Listed(
            (
                "Call NAME by NEW_NAME from now on, at all tables; the old name is kept with "
                "its date."
            ),
            "webapp.cli.club.players:rename",
        ),
        "read": Listed(
            (
                "Read the tiles in each PHOTO (JPEG, PNG, WebP, HEIC or AVIF), or in all "
                "photos of a folder."
            ),
            "webapp.cli.photos.read:read",
        ),
        "reread": Listed(
            ("Read stored photos again and report what would change. No deal is altered."),
            "webapp.cli.photos.reread:reread",
        ),
        "restore": Listed(
            (
                "Put the copy in FILE in the place of everything; what was there before is "
                "kept beside it."
            ),
            "webapp.cli.club.backup:restore",
        ),
        "rules": Listed(
            "Tell about the rulesets: list them, show one, compare two, check a club's "
            "own file.\n\n"
            "RULESET is the id of a ruleset, or the path of a ruleset file ending in "
            ".toml. The files in the folder that KONGBOX_RULESETS names are at hand "
            "everywhere by the ids that they give."
        ),
        "rules check": Listed(
            "Tell whether each ruleset FILE can be used.", "webapp.cli.scoring.rules:check"
        ),
        "rules diff": Listed(
            "Tell how two rulesets differ: each rule, special hand, option and key.",
            "webapp.cli.scoring.rules:diff",
        ),
        "rules list": Listed("List the rulesets at hand.", "webapp.cli.scoring.rules:list_"),
        "rules options": Listed(
            'List the house rules that a deal, or a club\'s file, may set under "changes".',
            "webapp.cli.scoring.rules:options",
        ),
        "rules show": Listed(
            "Show a RULESET, by default the usual one, as a club secretary would read it.",
            "webapp.cli.scoring.rules:show",
        ),
        "schema": Listed(
            "Print the JSON Schema of a deal, a result or a game, for other programs.",
            "webapp.cli.scoring.schema:schema",
        ),
        "score": Listed(
            "Score deals from FILE, or from standard input.", "webapp.cli.scoring.score:score"
        ),
        "seat": Listed(
            "Draw tables and seats, so that nobody meets twice while it can be avoided.",
            "webapp.cli.club.seat:seat",
        ),
        "serve": Listed(
            "Open the page and keep serving it until Ctrl+C.", "webapp.cli.serve:serve"
        ),
        "sets": Listed("Teach Kongbox the dragons, birds and flowers of your own set."),
        "sets add": Listed(
            "Learn the set NAME from each PHOTO, or add to what is known of it.",
            "webapp.cli.photos.sets:add",
        ),
        "sets list": Listed(
            "List the sets that Kongbox knows.", "webapp.cli.photos.sets:list_sets"
        ),
        "sets remove": Listed("Forget the set NAME.", "webapp.cli.photos.sets:remove"),
        "sets show": Listed(
            ("Tell what is known of the set NAME, and where its file is, which can be shared."),
            "webapp.cli.photos.sets:show",
        ),
        "users": Listed(
            "Say who may log in: secretary, scorer or guest.\n\n"
            "As long as there are none, the page needs no login and is served to this "
            "computer alone. Passwords are asked for, or read from standard input (the "
            "first line)."
        ),
        "users add": Listed(
            "Let NAME log in; the first one must be a secretary.", "webapp.cli.club.users:add"
        ),
        "users list": Listed("List who may log in, and as what.", "webapp.cli.club.users:listed"),
        "users password": Listed(
            "Give NAME a new password, and log NAME out everywhere.",
            "webapp.cli.club.users:password",
        ),
        "users remove": Listed(
            "Let NAME log in no longer; what NAME entered stays.", "webapp.cli.club.users:remove"
        ),
        "value": Listed(
            'Say what one hand is worth: a PHOTO of it, or its tiles such as "123m 55p 777z 2f".',
            "webapp.cli.scoring.value:value",
        ),
        "waits": Listed(
            "Tell whether HAND is fishing, for which tiles, and what each would score.",
            "webapp.cli.scoring.waits:waits",
        ),
        "watch": Listed(
            "Read the tiles before a camera, live, until Ctrl+C.", "webapp.cli.photos.watch:watch"
        ),
        "why": Listed(
            "Tell why a RULE or special hand does not count for a player in a DEAL.",
            "webapp.cli.scoring.compare:why",
        ),
        "worker": Listed(
            "Read the photos that wait in an association's database, until Ctrl+C.",
            "webapp.cli.worker:worker",
        ),
    }
)
"""Each command and group by the words that name it after ``kongbox``, in alphabetical order."""
