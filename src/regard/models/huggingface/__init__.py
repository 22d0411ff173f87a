"""The border to Hugging Face's folders: one table per layout, and nothing of theirs beyond it."""
