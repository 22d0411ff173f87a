"""What to say of a long text: how far it is read, how long the rest will take, and whether it is too long."""

import time
from collections.abc import Callable
from typing import Any

EVERY = 2.0  # seconds between lines


def telling(say: Callable[[str], None]) -> Callable[[int, int, float], None]:
    """Says how far a long text is read, and how long the rest will take."""
    began = last = time.monotonic()

    def tell(done: int, count: int, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < EVERY and done < count:
            return
        last = now
        left = (now - began) * (1 - share) / share
        rest = f", {_time(left)} left" if done < count else f", in {_time(now - began)}"
        say(f"  {done:,} of {count:,} tokens read{rest}")

    return tell


def _time(seconds: float) -> str:
    """
    >>> _time(42.3), _time(95), _time(4000)
    ('42 s', '1 min 35 s', '66 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{rest} s" if not minutes else f"{minutes} min {rest} s" if minutes < 10 else f"{minutes} min"


def beyond(model: Any, tokens: int) -> str | None:
    """What to know of a text that is longer than what a model was trained on."""
    most = getattr(model.config, "max_position_embeddings", None)
    if not isinstance(most, int) or tokens <= most:
        return None
    return f"{tokens:,} tokens are beyond the {most:,} that this model was trained on: it may not make sense of them"
