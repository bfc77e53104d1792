"""Twenty players on five tables over three rounds, with the hall, a laptop and phones."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.browser.browser import Page
from tests.webapp.browser.evening_walk import walk

pytestmark = pytest.mark.browser


def test_an_organiser_runs_a_whole_evening(app: Flask, page: Page) -> None:
    walk(page, app)
