"""The models that come with regard, by name. Importing this module loads none of them, nor anything else."""

# name → where it is made
MODELS = {
    "fox": ("regard.models.toys.fox", "fox"),
    "three-words": ("regard.models.toys.fox", "three_words"),
    "two-heads": ("regard.models.toys.two_heads", "two_heads"),
    "apple": ("regard.models.toys.apple", "apple"),
    "untrained": ("regard.models.toys.untrained", "untrained"),
    "english": ("regard.models.english", "english"),
    "masked": ("regard.models.masked", "masked"),
}
