"""Runs the benchmark of joint decisions: ``python -m benchmarks.joint``."""

from benchmarks.joint.joint import main

main()
