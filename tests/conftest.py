"""Profiles of Hypothesis: ``quick`` (default, the same examples every time) and ``long`` (new ones, many)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Whoever runs the tests may have another language; the pictures and sentences are compared in English.
os.environ["LANGUAGE"] = "en"

settings.register_profile(
    "quick",
    max_examples=15,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
