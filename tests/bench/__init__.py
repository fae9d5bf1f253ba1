"""Benches: figures as ratios against something named, measured in one run. `python -m tests.bench` prints them all."""
