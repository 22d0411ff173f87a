"""A text through a model's own code, watched from beginning to end, and what it says would follow."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from regard.watching.seen import Seen
from regard.watching.watch import watch

CANDIDATES = 10


def ran(
    model: Any, tokenizer: Any, given: Any, budget: str, wanted: Callable[[], None]
) -> tuple[Seen, list[tuple[str, float]]]:
    """What was seen of tokens that a tokenizer made, and the most probable next words, of a model that writes on.

    `wanted` is called between any two parts of the model, and stops it by an error of its own.
    """
    if getattr(model.config, "is_encoder_decoder", False):  # it must begin to write, to read at all
        start = model.config.decoder_start_token_id or 0
        given = {**given, "decoder_input_ids": given["input_ids"].new_full((1, 1), start)}
    with torch.inference_mode(), _asking(model, wanted), watch(model, tokenizer, budget=budget) as seen:
        output = model(**given)
    return seen, _next_words(model, tokenizer, output)


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
