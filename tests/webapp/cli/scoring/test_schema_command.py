"""The command that prints the JSON Schemas."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from scorer.text.schemas import SCHEMAS, load_schema
from webapp.cli.main import main


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_is_printed(name: str) -> None:
    told = CliRunner().invoke(main, ["schema", name])
    assert told.exit_code == 0
    assert json.loads(told.output) == load_schema(name)


def test_no_other_schema_is_there() -> None:
    told = CliRunner().invoke(main, ["schema", "photo"])
    assert told.exit_code == 2
    assert "deal" in told.output
