"""The course as it is read: its contents, its sheets, and what a phone needs to check answers."""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise

from flask.testing import FlaskClient

from webapp.course.answers import tasks
from webapp.course.library import sheets


def test_every_sheet_is_reached_and_leads_on_and_back(client: FlaskClient) -> None:
    assert 'href="/course"' in client.get("/learn").text
    contents = client.get("/course").text
    every = sheets()
    for sheet in every:
        assert f'href="/course/{sheet.id}"' in contents
        assert f'data-asks="{len(sheet.ask)}"' in contents
    for before, after in pairwise(every):
        assert f'rel="next" href="/course/{after.id}"' in client.get(f"/course/{before.id}").text
        assert f'rel="prev" href="/course/{before.id}"' in client.get(f"/course/{after.id}").text
    assert client.get("/course/snap").status_code == 404


def test_a_sheet_gives_the_phone_the_answer_of_the_scorer(client: FlaskClient) -> None:
    for language in ("en-GB", "zh-CN"):
        for sheet in sheets():
            page = client.get(f"/course/{sheet.id}", headers={"Accept-Language": language}).text
            given = re.findall(r'data-task="\d+" data-right="([^"]*)"', page)
            told = [json.loads(html.unescape(right)) for right in given]
            wanted = [json.loads(json.dumps(done.right)) for done in tasks(sheet)]
            assert told == wanted, sheet.id


def test_what_a_phone_keeps_of_the_course_is_about_nobody(client: FlaskClient) -> None:
    for path in ("/course", f"/course/{sheets()[0].id}"):
        page = client.get(path).text
        assert "csrf" not in page
        assert "<form method" not in page
