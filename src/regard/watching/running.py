"""A text through a model's own code, watched from beginning to end, and what it says would follow.

A long text is read a part at a time, by a model that keeps keys and values of what it has read: no part needs memory
for more than its own rows, and of the logits only the last are made.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from regard.watching.seen import Seen
from regard.watching.watch import watch

CANDIDATES = 10
PART = 1024  # tokens that are read at once
Tell = Callable[[int, int, float], None]  # tokens read, of how many, and the share of the work that is done


def ran(
    model: Any,
    tokenizer: Any,
    given: Any,
    budget: str,
    wanted: Callable[[], None] = lambda: None,
    layers: Sequence[int] | None = None,
    tell: Tell = lambda *_: None,
) -> tuple[Seen, list[tuple[str, float]]]:
    """What was seen of tokens that a tokenizer made, and the most probable next words, of a model that writes on.

    `wanted` is called between any two parts of the model, and stops it by an error of its own; `tell` between any two
    parts of a long text.
    """
    if getattr(model.config, "is_encoder_decoder", False):  # it must begin to write, to read at all
        start = model.config.decoder_start_token_id or 0
        given = {**given, "decoder_input_ids": given["input_ids"].new_full((1, 1), start)}
    with torch.inference_mode(), _asking(model, wanted), watch(model, tokenizer, layers, budget=budget) as seen:
        output = read_on(model, given, tell)
    return seen, _next_words(model, tokenizer, output)


def read_on(model: Any, given: Any, tell: Tell = lambda *_: None, part: int = PART) -> Any:
    """What the model gives for the tokens that a tokenizer made; where it can, part by part."""
    ids, output = given["input_ids"], None
    count = ids.shape[1]
    if count <= part or not _remembers(model):
        return model(**given)
    for start in range(0, count, part):
        kept = None if output is None else output.past_key_values
        output = model(ids[:, start : start + part], past_key_values=kept, use_cache=True, logits_to_keep=1)
        done = min(start + part, count)
        tell(done, count, _work(model, done) / _work(model, count))
    return output


def _remembers(model: Any) -> bool:
    """Whether it reads on with the keys and values of what it has read, and makes only the logits it is asked for."""
    takes = inspect.signature(model.forward).parameters
    return {"past_key_values", "logits_to_keep"} <= set(takes) and not model.config.is_encoder_decoder


def _work(model: Any, tokens: int) -> float:
    """In multiplications: every token by every parameter, and every token by all before it, in each layer."""
    parameters = sum(parameter.numel() for parameter in model.parameters())
    config = model.config
    return float(tokens) * parameters + tokens**2 * config.num_hidden_layers * config.hidden_size


@contextmanager
def _asking(model: torch.nn.Module, wanted: Callable[[], None]) -> Iterator[None]:
    handles = [part.register_forward_pre_hook(lambda *_: wanted()) for part in model.modules()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _next_words(model: Any, tokenizer: Any, output: Any) -> list[tuple[str, float]]:
    logits = getattr(output, "logits", None)
    if logits is None or "CausalLM" not in type(model).__name__:
        return []
    best = logits[0, -1].float().softmax(-1).topk(min(CANDIDATES, logits.shape[-1]))
    words = [str(tokenizer.decode([number])) for number in best.indices.tolist()]
    return [(word.strip() or repr(word), share) for word, share in zip(words, best.values.tolist())]
