"""The models that come with regard, by name, and the shortest way to a trace."""

import os
import re
from importlib import import_module
from typing import Any

from regard.models.cropping import TooLong, last_tokens
from regard.models.model import Model
from regard.models.names import MODELS, TOY_FILE, TOYS
from regard.suggestions import NotFound, command, suggestion
from regard.text.words import one_string
from regard.trace import Trace


def find_model(name: str | os.PathLike[str] | Model) -> Model:
    """A model that comes with regard, by its name; one trained here, or a Hugging Face one, by its folder or
    its GGUF file; a toy by its TOML file, or as it is."""
    if isinstance(name, Model):
        return name
    name = _written(name)
    if name in MODELS:
        module, function, arguments = MODELS[name]
        return getattr(import_module(module), function)(*arguments)
    if is_toy_file(name) or is_gguf_file(name):
        _check_it_is_there(name)
    if is_toy_file(name):
        module, function = TOY_FILE
        return getattr(import_module(module), function)(name)
    if is_gguf_file(name):
        from regard.models.gguf.model import gguf

        return gguf(name)
    if os.path.isdir(name):
        from regard.models.huggingface.folder import huggingface, is_huggingface
        from regard.models.trained import trained

        if is_huggingface(name):
            return huggingface(name)
        if not os.path.lexists(os.path.join(name, "checkpoints")):
            raise ValueError(
                f"there is no checkpoint in {name}, nor a Hugging Face model; a model's folder is {FOLDER}"
            )
        return trained(name)
    raise NotFound(_not_there(name))


def is_toy_file(name: str) -> bool:
    """Whether a name is that of a toy's file, which must then be there.

    >>> is_toy_file("mine.toml"), is_toy_file("fox")
    (True, False)
    """
    return name.lower().endswith(".toml") and not os.path.isdir(name)


def is_gguf_file(name: str) -> bool:
    """Whether a name is that of a GGUF file, which must then be there.

    >>> is_gguf_file("SmolLM2-135M-Instruct.Q4_1.gguf"), is_gguf_file("fox")
    (True, False)
    """
    return name.lower().endswith(".gguf") and not os.path.isdir(name)


def _written(name: Any) -> str:
    if not isinstance(name, str | os.PathLike):
        raise ValueError(f"model expects a name such as 'fox', or a folder, got {name!r}; regard.toy makes a toy")
    return os.fspath(name)


def _check_it_is_there(file: str) -> None:
    """A file that is missing is told with how to have one, as a model that is missing is."""
    if not os.path.lexists(file):
        own = os.path.basename(file)
        how = (
            f"`{command('regard', 'toy', 'new', file)}` writes one to begin with"
            if is_toy_file(file)
            else "regard downloads nothing; what Hugging Face has under this name you get with "
            f"`{command('hf', 'download', 'ORGANISATION/MODEL-GGUF', own, '--local-dir', '.')}`"
        )
        raise NotFound(f"there is no file {file}: check its path, or choose another (regard models); {how}")


def _not_there(name: str) -> str:
    """What a model is, for whoever named something else: a misspelt name, a missing folder, a Hugging Face name.

    >>> print(_not_there("foxx"))
    no model 'foxx'; did you mean fox?
    >>> print(_not_there("gpt2"))
    no model 'gpt2', nor a folder of that name. Built in are fox, ...; a folder is one that regard train wrote, or ...
    """
    if os.path.exists(name):
        return (
            f"{name} is a file; a toy's file ends in .toml, a packed model's in .gguf, and a model's folder is {FOLDER}"
        )
    guess = suggestion(name, MODELS)
    if guess.startswith("did you mean"):
        return f"no model {name!r}; {guess}"
    told = f"no model {name!r}, nor a folder of that name. Built in are {', '.join(MODELS)}; a folder is {FOLDER}"
    if not NAME_THERE.fullmatch(name) or os.path.isdir(os.path.dirname(name)):
        return told
    own = name.rpartition("/")[2]
    return (
        f"{told}. regard downloads nothing; what Hugging Face has under this name you get with "
        f"`hf download {name} --local-dir {own}`, and look inside with --model ./{own}"
    )


FOLDER = "one that regard train wrote, or one in Hugging Face's layout (config.json, tokenizer.json, *.safetensors)"
NAME_THERE = re.compile(r"([\w-][\w.-]*/)?[\w-][\w.-]*", re.ASCII)  # what models are called there: gpt2, org/name


def usual_model(text: str, next: str | None) -> str:
    """The model for a text when none is named: english, but the toy for the documents' own sentence and next word.

    >>> usual_model("The cat sat on the", "mat"), usual_model("The quick brown fox", "jumps")
    ('english', 'fox')
    """
    if next is None:
        return "english"
    fox = find_model("fox")
    return "fox" if text.split() == fox.sentence.split() and next in fox.writes else "english"


def toy_with(text: str) -> str | None:
    """The first toy in whose own sentence all words of a text are, if there is one.

    >>> toy_with("quick brown fox"), toy_with("A zebra")
    ('fox', None)
    """
    words = set(text.split())
    return next((name for name in TOYS if words and words <= set(find_model(name).sentence.split())), None)


def explain(
    text: str,
    next: str | None = None,
    model: str | os.PathLike[str] | Model | None = None,
    mask: str | None = None,
    query: str | None = None,
    last: int | None = None,
    as_written: bool = False,
) -> Trace:
    """Run a text through a model and keep every number; by default through the English model that comes with regard.

    With `next`, the word that should follow, the trace has a loss and gradients. `last` reads only that many tokens at
    the end of the text. `as_written` hides no word from a model that guesses hidden words. Printing the trace shows all
    twelve stages.

    >>> trace = explain("The quick brown fox", next="jumps")
    >>> trace.predicted, round(float(trace.array("loss")), 4)
    ('fox', 1.312)
    >>> trace.update(rate=0.1).predicted
    'jumps'
    """
    one_string(text)
    found = find_model(usual_model(text, next) if model is None else model)
    if last is not None:
        text = last_tokens(found, text, last)
    if as_written and next is not None:
        raise ValueError("as_written hides nothing, so there is no word to be guessed; leave next out")
    try:
        trace = found.as_written(text, mask, query) if as_written else found.run(text, next, mask, query)
    except TooLong as error:
        raise ValueError(f"{error}, or only its end: last={error.most}") from None
    return trace.backward() if "loss" in trace.steps else trace
