from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.runtime.opencv import cv2
from vision.runtime.registry import ModelEntry
from vision.tilesets import profile_file
from vision.tilesets.folder import FOLDER_VARIABLE, profiles_folder
from vision.tilesets.profile import (
    MAX_SHOTS,
    ProfileError,
    SetProfile,
    Shot,
    make_profile,
    seen_by,
    with_copies,
    with_shots,
)
from vision.tilesets.profile_file import (
    MAX_PICTURE_SIDE,
    from_json,
    list_profiles,
    load_copies,
    load_profile,
    profile_path,
    remove_profile,
    save_profile,
    to_json,
)
from vision.vocabulary.copies import surplus

ENTRY = ModelEntry("classifier", "classifier.onnx", "a" * 64, "1.0.0")
NEWER = ModelEntry("classifier", "classifier.onnx", "b" * 64, "2.0.0")


def shot(label: str, seed: int = 0) -> Shot:
    rng = np.random.default_rng([seed, len(label), ord(label[0])])
    crop = np.full((96, 72, 3), 230, np.uint8)
    crop[20:70, 20:50] = rng.integers(0, 200, 3)
    direction = rng.normal(size=16).astype(np.float32)
    return Shot(label, crop, direction / np.float32(np.linalg.norm(direction)))


def profile(**changes: Any) -> SetProfile:
    made = make_profile("Club set", [shot("1m"), shot("5z"), shot("1f")], ENTRY)
    return replace(made, **changes)


@dataclass
class FakeEmbedder:
    """A later classifier, for which every face lies in the direction of its mean colour."""

    entry: ModelEntry = NEWER
    size: tuple[int, int] = (96, 72)
    asked: list[int] = field(default_factory=list)

    def embed(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        self.asked.append(len(crops))
        means = crops.reshape(len(crops), -1, 3).mean(axis=1)
        return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), np.float32)


def test_a_profile_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    kept = with_copies(profile(blank_white=True), {"1f": 0, "1m": 4})
    path = save_profile(kept, tmp_path / "sets")
    back = load_profile("Club set", tmp_path / "sets")
    assert path.parent == tmp_path / "sets"
    assert (back.name, back.version, back.sha256) == ("Club set", "1.0.0", "a" * 64)
    assert back.blank_white
    assert dict(back.copies) == {"1f": 0}
    assert [s.label for s in back.shots] == ["1m", "5z", "1f"]
    for first, second in zip(kept.shots, back.shots, strict=True):
        assert np.allclose(first.embedding, second.embedding, atol=2e-3)
        assert np.abs(first.crop.astype(int) - second.crop).mean() < 4


def test_a_profile_can_be_read_from_a_file_that_was_sent(tmp_path: Path) -> None:
    path = save_profile(profile(), tmp_path)
    sent = tmp_path / "elsewhere" / "sent.kongset"
    sent.parent.mkdir()
    sent.write_bytes(path.read_bytes())
    assert load_profile(str(sent), tmp_path / "empty").name == "Club set"


def test_profiles_are_listed_replaced_and_removed(tmp_path: Path) -> None:
    assert list_profiles(tmp_path / "none") == []
    for name in ("Red set", "Blue set"):
        save_profile(profile(name=name), tmp_path)
    save_profile(profile(name="Red set", blank_white=True), tmp_path)
    assert list_profiles(tmp_path) == ["Blue set", "Red set"]
    assert load_profile("Red set", tmp_path).blank_white
    remove_profile("Red set", tmp_path)
    assert list_profiles(tmp_path) == ["Blue set"]
    with pytest.raises(ProfileError, match="no set profile 'Red set'"):
        remove_profile("Red set", tmp_path)
    with pytest.raises(ProfileError, match=r"'Red set'; known are: Blue set.*Show it to Kongbox"):
        load_profile("Red set", tmp_path)


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert profile_path("Club set") == tmp_path / "Club set.kongset"
    monkeypatch.delenv(FOLDER_VARIABLE)
    assert profiles_folder().parts[-2:] == ("kongbox", "sets")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", " x", "x ", "x.", "a" * 41, "a\nb"])
def test_names_that_could_be_other_files_are_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="cannot be called"):
        profile(name=name)
    with pytest.raises(ProfileError, match="cannot be called"):
        profile_path(name)


@pytest.mark.parametrize("name", ["con", "NUL", "Com1", "aux.2"])
def test_names_that_windows_keeps_for_itself_are_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="Windows reserves this name"):
        profile(name=name)


def test_a_set_has_one_name_whatever_its_capitals(tmp_path: Path) -> None:
    save_profile(profile(name="Ivory"), tmp_path)
    assert save_profile(profile(name="ivory", blank_white=True), tmp_path).stem == "Ivory"
    assert list_profiles(tmp_path) == ["Ivory"]
    loaded = load_profile("IVORY", tmp_path)
    assert (loaded.name, loaded.blank_white) == ("Ivory", True)


def test_sets_that_linux_kept_apart_stay_apart(tmp_path: Path) -> None:
    save_profile(profile(name="Ivory"), tmp_path)
    text = to_json(profile(name="ivory", blank_white=True))
    (tmp_path / "ivory.kongset").write_text(text, "utf-8")
    assert load_profile("ivory", tmp_path).blank_white
    assert not load_profile("Ivory", tmp_path).blank_white


def test_a_set_may_be_named_in_any_script(tmp_path: Path) -> None:
    for name in ("Grandma's set", "麻將 2", "Été"):
        save_profile(profile(name=name), tmp_path)
        assert load_profile(name, tmp_path).name == name


def test_a_new_classifier_sees_the_kept_pictures_again() -> None:
    classifier = FakeEmbedder()
    old = profile()
    new = seen_by(old, classifier)
    assert classifier.asked == [3]
    assert (new.version, new.sha256) == ("2.0.0", "b" * 64)
    assert np.allclose(new.shots[0].embedding, classifier.embed(old.shots[0].crop[np.newaxis])[0])
    assert seen_by(new, classifier) is new
    assert classifier.asked == [3, 1]


def test_pictures_of_another_size_cannot_be_seen_again() -> None:
    with pytest.raises(ProfileError, match=r"classifier 1\.0\.0.*version 2\.0\.0. Add the set"):
        seen_by(profile(), FakeEmbedder(size=(128, 96)))


def test_more_photos_add_shots() -> None:
    more = with_shots(profile(), [shot("1m", 1), shot("2m", 1)], blank_white=True)
    assert more.shot_counts() == {"1m": 2, "5z": 1, "1f": 1, "2m": 1}
    assert more.blank_white
    assert with_shots(more, [shot("3m")]).blank_white
    with pytest.raises(ProfileError, match=f"at most {MAX_SHOTS}"):
        with_shots(profile(), [shot("1m")] * MAX_SHOTS)


def test_a_profile_needs_a_picture() -> None:
    with pytest.raises(ProfileError, match="not 0"):
        make_profile("Club set", [], ENTRY)


@pytest.mark.parametrize("label", ["back", "10m", ""])
def test_a_profile_holds_no_unknown_tiles(label: str) -> None:
    with pytest.raises(ProfileError, match="cannot hold"):
        profile(shots=(replace(shot("1m"), label=label),))


@pytest.mark.parametrize(("label", "count"), [("1m", -1), ("1m", 17), ("blank", 2), ("x", 1)])
def test_numbers_that_no_set_has_are_refused(label: str, count: int) -> None:
    with pytest.raises(ProfileError, match="cannot have"):
        with_copies(profile(), {label: count})


def test_how_many_there_are_of_a_tile() -> None:
    kept = with_copies(profile(), {"1f": 0, "6z": 5})
    assert [kept.exist(label) for label in ("1m", "1f", "2f", "6z", "other")] == [4, 0, 1, 5, None]
    labels = ["1m"] * 5 + ["6z"] * 5 + ["1f", "2f", "other", "other", "back"] * 2
    assert surplus(labels, kept.copies) == {"1m": 5, "1f": 2, "2f": 2}
    assert surplus(["6z"] * 5) == {"6z": 5}


def damaged(**changes: Any) -> str:
    return json.dumps({**json.loads(to_json(profile())), **changes})


def with_shot(**changes: Any) -> str:
    shots = json.loads(to_json(profile()))["shots"]
    return damaged(shots=[{**shots[0], **changes}, *shots[1:]])


DAMAGED = {
    "no json": "{",
    "empty": "",
    "a list": "[]",
    "a later form": damaged(kongbox_set=2),
    "another key": damaged(colour="red"),
    "no shots": damaged(shots=[]),
    "a name that is a path": damaged(name="../x"),
    "an unknown tile": with_shot(label="10m"),
    "no base64": with_shot(jpeg="***"),
    "no jpeg": with_shot(jpeg=base64.b64encode(b"x" * 50).decode()),
    "no direction": with_shot(embedding=base64.b64encode(bytes(32)).decode()),
    "half a number": with_shot(embedding=base64.b64encode(bytes(33)).decode()),
    "another length": with_shot(embedding=base64.b64encode(b"\0\x3c" * 7).decode()),
    "a bad checksum": damaged(classifier={"version": "1", "sha256": "x"}),
    "a white dragon of no kind": damaged(white_dragon="green"),
    "a number of no tile": damaged(copies={"x": 1}),
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_are_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ProfileError) as refused:
        from_json(text, "club.kongset")
    assert len(str(refused.value).split()) > 4


def test_a_picture_that_is_far_too_large_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(profile_file, "decode_photo", lambda _: pytest.fail("it was decoded"))
    blank = np.zeros((MAX_PICTURE_SIDE, MAX_PICTURE_SIDE + 1, 3), np.uint8)
    jpeg = base64.b64encode(cv2.imencode(".jpg", blank)[1].tobytes()).decode()
    with pytest.raises(ProfileError, match="the picture of 1m has more than 192 pixels a side"):
        from_json(with_shot(jpeg=jpeg, label="1m"), "club.kongset")


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.kongset"
    with path.open("wb") as file:
        file.truncate(9 * 1024 * 1024)
    with pytest.raises(ProfileError, match="too large"):
        load_profile(str(path))


def test_folders_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ProfileError, match="cannot be written"):
        save_profile(profile(), file)
    (tmp_path / "Club set.kongset").mkdir()
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile("Club set", tmp_path)
    with pytest.raises(ProfileError, match="cannot be deleted"):
        remove_profile("Club set", tmp_path)


def test_the_numbers_of_tiles_are_read_without_the_pictures(tmp_path: Path) -> None:
    made = profile(copies={"1f": 0, "5p": 5})
    path = save_profile(made, tmp_path)
    assert load_copies("Club set", tmp_path) == made.copies
    assert load_copies(str(path)) == made.copies
    with pytest.raises(ProfileError, match="no set profile"):
        load_copies("Another set", tmp_path)
    form = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**form, "copies": {"1f": 99}}), "utf-8")
    with pytest.raises(ProfileError, match="cannot have 99"):
        load_copies("Club set", tmp_path)
    path.write_text("{}", "utf-8")
    with pytest.raises(ProfileError):
        load_copies("Club set", tmp_path)
