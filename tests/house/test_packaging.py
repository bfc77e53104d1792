"""What is installed holds everything it needs, and says all that it needs from others."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from supply.bill import read_lock
from tests.house.test_imports import DRAWS_WHAT_IS_SHIPPED, PACKAGES, ROOT, imports_of, modules_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DISTRIBUTION_OF = {
    "PIL": "pillow",
    "argon2": "argon2-cffi",
    "bmesh": "bpy",
    "charset_normalizer": "charset-normalizer",
    "cv2": "opencv-python",
    "flask_babel": "flask-babel",
    "flask_compress": "flask-compress",
    "flask_login": "flask-login",
    "flask_wtf": "flask-wtf",
    "lazy_loader": "lazy-loader",
    "prometheus_client": "prometheus-client",
    "tomli_w": "tomli-w",
    "fontTools": "fonttools",
    "mathutils": "bpy",
}
in_a_checkout = pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="not a git checkout"
)


SHIPPED = ("scorer", "vision", "webapp", "models")
MOST_UNPACKED_BYTES = 12_900_000
NOT_SHIPPED = (
    *("datasets/", "benchmarks/", "supply/", "tests/", "webapp/artwork/"),
    *("models/nets/", "models/training/", "models/evaluation/", "models/fitting/"),
)
COMPILED = ".po"
"""What only its compiled form beside it is shipped of."""

BUILD = "import sys, setuptools.build_meta as build; build.build_wheel(sys.argv[1])"


def shipped(name: str) -> bool:
    """Whether a file of the packages is needed where they run."""
    return not name.startswith(NOT_SHIPPED) and not name.endswith(COMPILED)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what the repository holds, built in a folder of its own."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in (*SHIPPED, "supply", "requirements"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-c", BUILD, str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (found,) = out.glob("*.whl")
    return found


def test_the_wheel_holds_what_runs_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        names = opened.namelist()
        unpacked = sum(entry.file_size for entry in opened.infolist())
    assert [name for name in names if not shipped(name)] == []
    assert [name for name in names if name.endswith((".onnx", "registry.toml"))]
    assert unpacked < MOST_UNPACKED_BYTES


@in_a_checkout
def test_every_data_file_of_what_runs_is_in_the_wheel(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "scorer", "vision", "webapp", "models/*.onnx", "models/*.toml"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    wanted = {
        name
        for name in listed.stdout.split("\0")
        if name and (ROOT / name).is_file() and shipped(name)
    }
    with ZipFile(wheel) as opened:
        assert wanted - set(opened.namelist()) == set()


def test_the_wheel_says_what_it_is_made_of(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        (name,) = [name for name in opened.namelist() if "/sboms/" in name]
        told = json.loads(opened.read(name))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["name"]: part for part in told["components"]}
    assert {name: parts[name]["version"] for name in RUNTIME} == {
        name: version for name, version in pins_of("runtime").items() if name in RUNTIME
    }
    registry = tomllib.loads((ROOT / "models" / "registry.toml").read_text("utf-8"))
    for model, entry in registry.items():
        assert parts[model]["hashes"] == [{"alg": "SHA-256", "content": entry["sha256"]}]
    needs = {each["ref"]: each["dependsOn"] for each in told["dependencies"]}
    (own,) = [ref for ref in needs if ref.startswith("pkg:pypi/kongbox@")]
    assert {purl.partition("@")[0] for purl in needs[own]} == {
        f"pkg:pypi/{name}" for name in RUNTIME
    }
    assert any(purl.startswith("pkg:pypi/jinja2@") for purl in needs[parts["flask"]["purl"]])


def test_what_is_in_the_wheel_runs_by_itself(wheel: Path, tmp_path: Path) -> None:
    with ZipFile(wheel) as opened:
        opened.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import webapp.cli.main, vision; "
        "import vision.shipped; print(vision.__file__, sorted(vision.model_versions()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(tmp_path))
    assert "detector" in done.stdout


def test_every_file_that_the_registry_names_is_packaged() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["models"]
    packaged = {path.name for pattern in patterns for path in (ROOT / "models").glob(pattern)}
    registry = tomllib.loads((ROOT / "models" / "registry.toml").read_text("utf-8"))
    named = {entry["file"] for entry in registry.values()}
    assert "weights.toml" in named
    assert (named | {"registry.toml"}) - packaged == set()


def declared(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[ ]", requirement)[0] for requirement in requirements}


def outside_imports(paths: list[Path]) -> dict[str, str]:
    """The distributions that the modules import, each with one module that does."""
    own = {*PACKAGES, *sys.stdlib_module_names}
    roots = {name.split(".")[0]: path for path in paths for name in imports_of(path) if name}
    return {
        DISTRIBUTION_OF.get(root, root): str(path.relative_to(ROOT))
        for root, path in roots.items()
        if root not in own
    }


ASSOCIATION = ROOT / "webapp" / "association"
SHARES_A_QUEUE = [
    *ASSOCIATION.glob("queue/*.py"),
    *(ASSOCIATION / "machines" / f"{name}.py" for name in ("bucket", "signals")),
]
"""What is imported only where several machines share a database."""
RUNTIME = declared(PROJECT["project"]["dependencies"])
EXTRAS = PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize("package", ["scorer", "vision", "webapp"])
def test_what_runs_imports_only_what_is_required(package: str) -> None:
    drawing = [path for path in modules_of(package) if DRAWS_WHAT_IS_SHIPPED in path.parents]
    used = outside_imports(sorted({*modules_of(package)} - {*drawing, *SHARES_A_QUEUE}))
    assert {name: used[name] for name in used.keys() - RUNTIME} == {}


def test_a_queue_for_several_machines_needs_only_its_own_extra() -> None:
    used = outside_imports(SHARES_A_QUEUE)
    assert used.keys() - RUNTIME == declared(EXTRAS["association"])


def test_a_club_never_imports_the_association(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
import webapp.cli.main, webapp.server
from webapp import create_app
folder = Path(sys.argv[1])
app = create_app(f"sqlite:///{folder / 'one.sqlite3'}", folder=folder)
for rule in app.url_map.iter_rules():
    if not rule.arguments and "GET" in rule.methods:
        app.test_client().get(rule.rule).close()
assert not [name for name in sys.modules if name.startswith("webapp.association")]
"""
    subprocess.run([sys.executable, "-c", script, tmp_path], check=True, cwd=ROOT)


def test_one_club_needs_nothing_of_it(tmp_path: Path) -> None:
    script = """
import sys
extra = ("obstore", "procrastinate", "prometheus_client", "psycopg", "psycopg_pool")
sys.modules.update(dict.fromkeys(extra))
from pathlib import Path
from webapp import create_app
from webapp.association.applications import close, create_host
folder = Path(sys.argv[1])
app = create_app(f"sqlite:///{folder / 'one.sqlite3'}", folder=folder)
assert app.test_client().get("/").status_code == 200
host = create_host(f"sqlite:///{folder / 'many.sqlite3'}", folder=folder)
host.clubs.add("whitby", "Whitby")
with host.entered("whitby") as club:
    assert club.test_client().get("/").status_code == 200
close(host)
"""
    subprocess.run([sys.executable, "-c", script, tmp_path], check=True, cwd=ROOT)


@pytest.mark.parametrize(
    ("package", "extras"), [("models", ["train"]), ("datasets", ["train", "render"])]
)
def test_training_imports_only_what_its_extras_require(package: str, extras: list[str]) -> None:
    used = outside_imports(modules_of(package))
    allowed = RUNTIME.union(*(declared(EXTRAS[extra]) for extra in extras))
    assert {name: used[name] for name in used.keys() - allowed} == {}


def test_nothing_is_required_that_is_not_used() -> None:
    used = {name for package in PACKAGES for name in outside_imports(modules_of(package))}
    held_back = declared([each for each in PROJECT["project"]["dependencies"] if "<" in each])
    assert (RUNTIME | declared(EXTRAS["train"])) - used - held_back == set()


def pins_of(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return {package.name: package.version for package in read_lock(text)}


def test_everything_that_is_required_is_locked() -> None:
    runtime, development = pins_of("runtime"), pins_of("dev")
    assert runtime.keys() >= RUNTIME
    assert runtime.items() <= development.items()
    assert declared(EXTRAS["dev"]) <= development.keys()
    training = pins_of("train").keys() | pins_of("torch-cpu").keys()
    assert declared(EXTRAS["train"]) <= training
    assert pins_of("torch-cpu")["torch"] == f"{pins_of('cuda')['torch']}+cpu"
