"""Saved runs: folders that are complete or absent, and files that are checked against their manifest. No torch."""
