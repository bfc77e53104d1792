from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.designs import DesignError
from datasets.sets import fresh
from datasets.sets.fresh import WithFreshSets
from models.fitting import profiles
from models.fitting.profiles import Sample, fit, held_out_accuracy
from models.training import gather
from scorer.tiles import READING_LABELS, TILES
from tests.models.fitting.command import printed_by
from vision.tilesets.fusion import ProfileWeights, fuse

WEIGHTS = ProfileWeights.shipped().numbers()
SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
TRUE = np.array([0.6, 6.0, 5.0, 5.0])


def made(group: int) -> Sample:
    """Tiles that follow the rule with known weights."""
    rng = np.random.default_rng(group)
    count = 400
    terms = np.zeros((count, len(READING_LABELS), len(WEIGHTS)))
    chances = np.log(rng.dirichlet(np.full(len(READING_LABELS), 0.3), count) + 1e-6)
    terms[:, :, 0] = chances
    terms[:, : len(TILES), 1:3] = rng.uniform(0, 1, (count, len(TILES), 2))
    terms[:, : len(TILES), 3] = -1
    scores = terms @ TRUE
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    labels = [rng.choice(len(READING_LABELS), p=row) for row in chances]
    return Sample(terms, np.array(labels), group)


def test_the_weights_that_made_the_data_are_found_again() -> None:
    found = fit([made(group) for group in range(6)])
    assert np.abs(found - TRUE).max() < 1.0
    assert abs(found[0] - TRUE[0]) < 0.1


def test_held_out_designs_gain_from_a_profile() -> None:
    accuracy = held_out_accuracy([made(group) for group in range(4)])
    before, after = accuracy["pictured"]
    assert after > before + 0.1
    assert set(accuracy) >= {"all", "bonus tiles", "dragons", "one bamboo", "others"}


def test_the_command_prints_every_weight_and_its_terms_are_those_of_the_rule(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[Sample] = []

    def noting(chosen: list[Sample]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        kept.extend(chosen)
        return np.ones(len(WEIGHTS))

    monkeypatch.setattr(profiles, "fit", noting)
    monkeypatch.setattr(profiles, "held_out_accuracy", lambda _chosen: {"all": (0.5, 0.75)})
    options = "profiles", "--designs", str(SAMPLES), "--pictures", "2"
    table, *lines, worth = printed_by(monkeypatch, capsys, *options)
    assert table == "[set_profile]"
    assert lines == [f"{name} = 1.0" for name in WEIGHTS]
    assert "50.00% without, 75.00% with a profile" in worth
    weights = np.array(list(WEIGHTS.values()))
    sample = kept[0]
    columns = np.nonzero(sample.terms[0, :, 3])[0]
    logarithms, cosines, inks = (sample.terms[:, :, term] for term in range(3))
    fused = fuse(logarithms, cosines[:, columns], inks[:, columns], columns.tolist())
    scores = sample.terms @ weights
    assert np.array_equal(fused.argmax(axis=1), scores.argmax(axis=1))
    assert (fused.argmax(axis=1) == sample.labels).mean() > 0.9


def test_strange_sets_are_none_that_is_learnt_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def noting(seed: int, *_: object) -> str:
        asked.append(seed)
        return str(seed)

    monkeypatch.setattr(profiles, "fresh_set", noting)
    monkeypatch.setattr(profiles, "find_fonts", lambda _: [])
    assert len(profiles.strange_sets(3, None, None)) == 3
    assert len(set(asked)) == 3
    assert min(asked) > fresh.FIRST_SEED + len(WithFreshSets([], 0.9, [], ()))
    assert max(asked) < gather.FIRST_SEED
    with pytest.raises(DesignError, match="holds no icons"):
        profiles.strange_sets(1, None, tmp_path)
