"""The course as it is read: its contents, its sheets, and what a phone needs to check answers."""

from __future__ import annotations

import html
import json
import re

from flask.testing import FlaskClient

from webapp.course.answers import tasks
from webapp.course.library import elsewhere, sheets


def test_every_sheet_leads_on_and_gives_the_phone_the_answers_of_the_scorer(
    client: FlaskClient,
) -> None:
    assert 'href="/course"' in client.get("/learn").text
    contents = client.get("/course").text
    every = sheets()
    first = {every[0].id, elsewhere()[0].id}
    before = None
    for sheet in (*every, *elsewhere()):
        before = None if sheet.id in first else before
        assert f'href="/course/{sheet.id}"' in contents
        assert f'data-asks="{len(sheet.ask)}"' in contents
        page = client.get(f"/course/{sheet.id}").text
        assert (re.findall('rel="prev" href="/course/([^"]+)"', page) or [None]) == [before]
        before = sheet.id
        given = re.findall(r'data-task="\d+" data-right="([^"]*)"', page)
        told = [json.loads(html.unescape(right)) for right in given]
        assert told == [json.loads(json.dumps(done.right)) for done in tasks(sheet)], sheet.id
    assert f'rel="next" href="/course/{every[1].id}"' in client.get(f"/course/{every[0].id}").text
    assert client.get("/course/snap").status_code == 404


def test_a_sheet_is_read_in_chinese(client: FlaskClient) -> None:
    sheet = sheets("zh_Hans")[7]
    page = client.get(f"/course/{sheet.id}", headers={"Accept-Language": "zh-CN"}).text
    assert sheet.title in page
    assert sheet.ask[0].question in page


def test_what_a_phone_keeps_of_the_course_is_about_nobody(client: FlaskClient) -> None:
    kept = ("words", "search", sheets()[0].id)
    for path in ("/course", *(f"/course/{name}" for name in kept)):
        page = client.get(path).text
        assert "csrf" not in page
        assert "<form method" not in page
