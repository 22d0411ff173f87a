"""What is wrong with a file of word vectors."""


class Unreadable(ValueError):
    """Why a file cannot be read as word vectors: what came, what was expected, what to do."""


class Unwritable(ValueError):
    """Why these vectors cannot be written in a format."""
