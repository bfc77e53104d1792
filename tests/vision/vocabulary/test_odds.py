"""Probabilities and log-odds, as SciPy has them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from scipy import special

from vision.vocabulary.odds import chances_of, log_odds, softmax

ODDS = np.linspace(-40, 40, 401)


def test_log_odds_and_chances_are_those_of_scipy() -> None:
    assert np.allclose(chances_of(ODDS), special.expit(ODDS), rtol=0, atol=1e-15)
    chances = np.linspace(1e-5, 1 - 1e-5, 999)
    assert np.allclose(log_odds(chances), special.logit(chances), rtol=1e-12)
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
    assert np.allclose(chances_of(log_odds(chances)), chances)


def test_softmax_is_that_of_scipy_for_large_and_few_scores_too() -> None:
    scores = np.random.default_rng(2).normal(0, 300, (50, 45))
    assert np.allclose(softmax(scores), special.softmax(scores, axis=1))
    assert softmax(np.zeros((0, 45))).shape == (0, 45)


def test_a_photo_is_read_without_scipy_whose_import_takes_as_long() -> None:
    code = (
        "import sys, numpy as np, vision, vision.pipeline, vision.shipped\n"
        "try: vision.read_photo(np.full((96, 96, 3), 200, np.uint8))\n"
        "except vision.PhotoError: pass\n"
        "print(*(name for name in sys.modules if name.partition('.')[0] == 'scipy'))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
