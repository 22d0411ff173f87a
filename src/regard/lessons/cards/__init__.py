"""Lessons as cards: each asks before it shows, and knows what the usual mistakes would give."""
