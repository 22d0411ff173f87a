"""What cannot be answered, as domain errors. Each place that reports them (HTTP, terminal, notebook) decides how.

Two more are used everywhere: `NotFound` (regard/suggestions.py) for a name that does not exist, and a plain ValueError
for what does not fit.
"""


class TooLarge(ValueError):
    """More than can be computed, kept or sent at once; the sentence says how much, and what to do instead."""
