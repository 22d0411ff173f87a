"""Trace → numbers: what a run means, measured. Lenses measure, views draw."""
