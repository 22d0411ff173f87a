"""Word vectors: one vector per word, whoever made them; what stands near what, and files of every common kind."""

from regard.vectors.wordvectors import WordVectors

__all__ = ["WordVectors"]
