"""The Dockerfile fits the program, what is locked, and what its compose file and document say."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from flask import Flask
from platformdirs import user_data_path

from vision.runtime.opencv import SYSTEM_PACKAGES
from webapp.association.applications import METRICS
from webapp.association.places import PHOTOS
from webapp.association.queue.worker import FINISH_S
from webapp.cli.main import main
from webapp.cli.serve import serve
from webapp.cli.worker import worker
from webapp.pages.api import pages
from webapp.security.headers import HOSTS
from webapp.security.policy import policy_of
from webapp.serving.log import FORM
from webapp.serving.receiving import PROXY

ROOT = Path(__file__).parents[2]
STEPS = [
    tuple(line.split(None, 1))
    for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
IMAGE = STEPS[[word for word, _ in STEPS].index("FROM", 1) :]
"""The steps of the image itself, after those of the one in which it is built."""


def of_image(word: str) -> str:
    """What the image says once by a word of the Dockerfile."""
    (rest,) = [rest for each, rest in IMAGE if each == word]
    return rest


def test_the_image_serves_by_a_command_that_there_is() -> None:
    assert json.loads(of_image("ENTRYPOINT")) == ["kongbox"]
    command, *options = json.loads(of_image("CMD"))
    assert command == serve.name
    context = serve.make_context(serve.name, list(options))
    assert context.params["host"] == "0.0.0.0"
    assert str(context.params["port"]) == of_image("EXPOSE")


def test_the_volume_is_the_data_folder_and_belongs_to_a_user_who_is_not_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment = dict(word.split("=", 1) for word in of_image("ENV").split())
    monkeypatch.setenv("XDG_DATA_HOME", environment["XDG_DATA_HOME"])
    folder = of_image("VOLUME")
    assert user_data_path("kongbox", appauthor=False).parent == Path(folder)
    user = of_image("USER")
    assert user not in {"root", "0"}
    made = " ".join(rest for word, rest in IMAGE if word == "RUN")
    assert f"--owner {user} --group {user} --mode 0700 {folder}" in made
    assert re.search(rf"useradd .*--uid \d{{5}} .* {user} ", made)
    words = [word for word, _ in IMAGE]
    assert words.index("USER") > max(n for n, word in enumerate(words) if word in {"RUN", "COPY"})


def test_its_health_is_asked_at_an_address_that_answers() -> None:
    health = of_image("HEALTHCHECK")
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/[a-z]+)", health)
    assert asked
    assert asked[1] == of_image("EXPOSE")
    app = Flask("health")
    app.register_blueprint(pages)
    assert asked[2] in {rule.rule for rule in app.url_map.iter_rules()}
    compile(json.loads(health[health.index("[") :])[2], "health", "exec")


def test_only_what_is_locked_is_installed_and_the_packages_of_the_system_are_there() -> None:
    runs = [rest for word, rest in STEPS if word == "RUN"]
    by_pip = [run for run in runs if "bin/pip " in run and " install " in run]
    locked = [run for run in by_pip if "--no-index" not in run]
    assert len(locked) == 2
    assert all("--require-hashes --only-binary :all: -r requirements/" in run for run in locked)
    (packages,) = [rest for word, rest in IMAGE if word == "RUN" and "apt-get install" in rest]
    assert set(SYSTEM_PACKAGES) <= set(shlex.split(packages))


def test_what_is_copied_is_there_and_not_ignored() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert lines[lines.index("*") - 1].startswith("#")
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert [name for name in kept if not (ROOT / name).exists()] == []
    built_from = re.findall(r'"([a-z]+)"', (ROOT / "MANIFEST.in").read_text("utf-8"))
    assert set(built_from) <= set(kept)
    assert {"scorer", "vision", "webapp", "models", "pyproject.toml"} <= set(kept)
    assert not {"tests", ".git", "datasets"} & set(kept)


def test_compose_lets_the_container_write_its_volume_alone() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    assert f'volumes: ["data:{of_image("VOLUME")}"]' in text
    for line in (
        "read_only: true",
        'cap_drop: ["ALL"]',
        'security_opt: ["no-new-privileges:true"]',
        'tmpfs: ["/tmp"]',
    ):
        assert f"    {line}\n" in text


def test_the_document_names_commands_that_there_are() -> None:
    text = (ROOT / "docs" / "DOCKER.md").read_text("utf-8")
    named = set(re.findall(r"(?:--rm .*|exec kongbox) kongbox ([a-z]+)", text))
    assert named == {"users", "backup"}
    assert named <= set(main.commands)


def test_the_machines_of_an_association_run_commands_that_there_are() -> None:
    folder = ROOT / "docs" / "association"
    told = (folder / "compose.yaml").read_text("utf-8")
    commands = re.findall(r"command: \[(.*)\]", told)
    found = [[word.strip(' "') for word in each.split(",")] for each in commands]
    assert {each[0] for each in found} == {"serve", "worker"}
    for name, *options in found:
        command = {"serve": serve, "worker": worker}[name]
        assert command.make_context(name, list(options)).params["db"].startswith("postgresql")
    named = set(re.findall("KONGBOX_[A-Z]+", told))
    assert named == {HOSTS, PROXY, FORM, METRICS, PHOTOS}
    shown = (folder / "README.md").read_text("utf-8")
    assert set(re.findall("KONGBOX_[A-Z]+", shown)) == named
    assert set(re.findall("AWS_[A-Z_]+", told)) == set(re.findall("AWS_[A-Z_]+", shown))
    assert set(re.findall(r"^(?:docker .* server-1|kongbox) ([a-z]+)", shown, re.MULTILINE)) == {
        "users", "serve", "worker",
    }  # fmt: skip
    required = re.findall("REQUIRED: (\\w+)", told)
    assert all((ROOT / "requirements" / f"{name}.txt").is_file() for name in required)


def test_the_proxy_of_an_association_finds_its_servers_and_whether_they_are_ready() -> None:
    folder = ROOT / "docs" / "association"
    told = (folder / "compose.yaml").read_text("utf-8")
    proxy = (folder / "Caddyfile").read_text("utf-8")
    servers = re.findall(r"^  (\S+): \*server$", told, re.MULTILINE)
    port = of_image("EXPOSE")
    (upstreams,) = re.findall(r"reverse_proxy (.*) {", proxy)
    assert upstreams.split() == [f"{name}:{port}" for name in servers]
    assert serve.make_context("serve", []).params["port"] == int(port)
    (asked,) = re.findall(r"health_uri (\S+)", proxy)
    app = Flask("health")
    app.register_blueprint(pages)
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules() if rule.rule == asked}
    assert endpoints
    answers = [policy_of(app.view_functions[endpoint]) for endpoint in endpoints]
    assert all(it is not None and it.any_host for it in answers), (
        "it is asked by the name that compose.yaml gives the machine"
    )
    graces = [int(seconds) for seconds in re.findall(r"stop_grace_period: (\d+)s", told)]
    assert len(graces) == 2
    assert min(graces) > FINISH_S, "a worker finishes what it reads"
