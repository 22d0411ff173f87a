"""Saved runs: folders that are whole or not there, and files that are compared with their manifest. No torch."""
