"""The models that come with regard, by name. Importing this module loads none of them, nor anything else."""

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
TOY_FILE = ("regard.toys.toy_file", "toy_file")  # what opens a file of the same format
