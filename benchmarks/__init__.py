"""Measured by hand, never asserted by a test: ``python -m benchmarks`` prints every ratio side by side in one run."""
