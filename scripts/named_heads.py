"""How often a head of an untrained model gets a name: `python scripts/named_heads.py [--seeds 20]`.

Models of the size of the English one and of other shapes, with random parameters, read random words twice and a text.
What follows a name in the English and the masked model is printed beside it.
"""

import argparse
from dataclasses import replace

from regard.lens.naming import named_heads, random_words
from regard.models.catalogue import find_model
from regard.models.model import Model
from regard.models.parameters import random_parameters

TEXT = (
    "Once upon a time, there was a little girl. Her name was Lily. She had a dog, and the dog was big. One day, the "
    "dog ran after a ball. The ball was red. Lily said, Come back! But the dog did not come back."
)
SPREADS = (None, 0.02)  # of random parameters: so that products keep their size, or as for training


def untrained(model: Model, seed: int, spread: float | None) -> Model:
    return replace(model, parameters=random_parameters(model.settings, seed, spread), is_found_again=False)


def names_of(model: Model) -> dict[str, int]:
    words = random_words(model.reads)
    text = tuple(model.tokenizer.words(TEXT))
    heads = named_heads(("random words", model.read(words)), ("the text", model.read(text)))
    counted = {"heads": len(heads), "unsure": sum(head.best is not None and head.name is None for head in heads)}
    for head in heads:
        if head.name is not None:
            counted[head.name] = counted.get(head.name, 0) + 1
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    seeds = range(parser.parse_args().seeds)
    for name in ("english", "masked"):
        print(f"{name}: {told(names_of(find_model(name)))}")
    for name in ("english", "masked"):
        for spread in SPREADS:
            total: dict[str, int] = {}
            for seed in seeds:
                for what, count in names_of(untrained(find_model(name), seed, spread)).items():
                    total[what] = total.get(what, 0) + count
            named = sum(count for what, count in total.items() if what not in ("heads", "unsure"))
            what = f"{name}, untrained, spread {spread or '1/√n'}, {len(seeds)} seeds"
            print(f"{what}: {told(total)}; named {named / total['heads']:.2%}")


def told(counted: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counted.items())


if __name__ == "__main__":
    main()
