"""The models and lessons that come with regard, by name. Importing this module loads none of them, nor anything."""

# toys are files in src/regard/toys, each under its own name
TOYS = (
    *("fox", "fox-with-pizza", "fox-with-eats", "three-words", "cat", "matrix", "two-heads", "four-heads"),
    *("apple", "fruit-or-company", "untrained"),
)
# name → where it is made, and from which arguments
MODELS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    **{name: ("regard.toys.shipped", "shipped", (name,)) for name in TOYS},
    "english": ("regard.models.english", "english", ()),
    "masked": ("regard.models.masked", "masked", ()),
}
# the lessons, name → module of regard.lessons, in the order of the documents
LESSONS = {
    "gauge": "gauge",
    "pressure": "pressure",
    "root": "root",
    "cat": "cat",
    "cabinet": "cabinet",
    "it": "it",
    "matrix": "matrix",
    "four-heads": "four_heads",
    "two-heads": "two_heads",
    "heads": "heads",
    "new-sentences": "new_sentences",
    "function": "function",
    "rule": "rule",
    "vectors": "vectors",
    "glove": "glove",
    "apple": "apple",
    "masks": "masks",
    "fox": "fox",
    "three-words": "three_words",
    "backward": "backward",
}
TOY_FILE = ("regard.toys.toy_file", "toy_file")  # what opens a file of the same format
