from __future__ import annotations

import numpy as np
import pytest

from tests.vision.painted import noisy, table, with_arm
from tests.vision.table import lay
from vision.multiview.motion import STEADY_CHANGE, MotionMeter, carried
from vision.photo.thresholds import STEADY_SPEED
from vision.runtime.opencv import cv2

PICTURE = table(lay("123m 456p 789s"))


def test_the_first_frame_says_nothing_of_movement() -> None:
    assert not MotionMeter().measure(PICTURE, 0.0).steady


def test_a_still_view_is_steady_whatever_the_sensor_adds() -> None:
    meter = MotionMeter()
    meter.measure(noisy(PICTURE, 0), 0.0)
    motion = meter.measure(noisy(PICTURE, 1), 0.1)
    assert motion.steady
    assert motion.speed < STEADY_SPEED / 4
    assert motion.changed < STEADY_CHANGE / 4


def test_the_cameras_movement_is_measured_and_taken_out() -> None:
    turn = cv2.getRotationMatrix2D((500, 180), 2.0, 1.02)
    turn[:, 2] += (24, 6)
    after = cv2.warpAffine(PICTURE, turn, (1000, 360), borderMode=cv2.BORDER_REFLECT)
    meter = MotionMeter()
    meter.measure(PICTURE, 0.0)
    motion = meter.measure(np.asarray(after, np.uint8), 0.1)
    assert motion.followed
    points = np.array([[300.0, 100.0], [600.0, 250.0]])
    truth = points @ turn[:, :2].T + turn[:, 2]
    assert np.allclose(carried(motion.carry, points), truth, atol=2.0)
    assert motion.speed > STEADY_SPEED
    assert motion.changed < STEADY_CHANGE
    assert not motion.steady


def test_something_before_the_camera_is_a_change_not_a_movement() -> None:
    meter = MotionMeter()
    meter.measure(PICTURE, 0.0)
    motion = meter.measure(with_arm(PICTURE, 400), 0.1)
    assert not motion.steady
    assert motion.changed > STEADY_CHANGE or not motion.followed


@pytest.mark.parametrize("light", [10, 120])
def test_a_view_without_any_marks_can_stand_still(light: int) -> None:
    plain = np.full((240, 320, 3), light, np.uint8)
    meter = MotionMeter()
    meter.measure(plain, 0.0)
    assert meter.measure(plain, 0.1).steady
    assert not meter.measure(plain + 60, 0.2).steady


def test_another_scene_cannot_be_followed() -> None:
    meter = MotionMeter()
    meter.measure(PICTURE, 0.0)
    other = np.random.default_rng(0).integers(0, 255, PICTURE.shape).astype(np.uint8)
    assert not meter.measure(other, 0.1).followed


def test_frames_of_another_size_start_anew() -> None:
    meter = MotionMeter()
    meter.measure(PICTURE, 0.0)
    assert not meter.measure(PICTURE[:, :500], 0.1).followed
