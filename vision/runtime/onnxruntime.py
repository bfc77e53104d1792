"""Imports ONNX Runtime without its telemetry, so that nothing about a photo leaves the computer.

The wheel reports its use and keeps a device id in the user's cache folder unless it is told not to
before it is first imported (microsoft/onnxruntime pull requests 27379 and 29843).
"""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["ORT_TELEMETRY_DISABLED"] = "1"

import onnxruntime as ort

__all__ = ["ort"]
