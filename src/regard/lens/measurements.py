"""What can be measured of a run: each measurement is further steps of the trace, made when first asked for.

`trace["layer5.entropy[3,little]"]` finds its measurement by the name; `regard why` opens it like any other number.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from regard.lens.attending import distance_steps, entropy_steps, received_steps, sent_steps
from regard.lens.blame import blame_steps
from regard.lens.contributions import contribution_steps
from regard.lens.flowing import flow_steps
from regard.lens.learning import after_steps, guessing_steps
from regard.lens.margin import margin_steps
from regard.lens.pulling import gravity_steps
from regard.lens.saying import says_steps
from regard.lens.without import without_steps
from regard.suggestions import NotFound, suggestion
from regard.trace import Step, Trace
from regard.trace.holding import DIRECT, FLOW, Holding


@dataclass(frozen=True)
class Measurement:
    """What its steps are called (a pattern of names), how they are made, and what they say."""

    name: str
    pattern: str
    make: Callable[[Trace], Iterable[Step]]
    unit: str
    says: str
    needs: str  # of a run: said where there is nothing to measure


GRAVITY = re.compile(r"gravity(\d+)")


def directions(holding: Holding) -> Callable[[Trace], Iterable[Step]]:
    """The directions toward the margin, with something held."""
    return lambda trace: trace.backward("margin", holding).gradients


LOSS = "a loss: say which word should follow (next=…)"
MIXING = "attention's weights and values, not replaced by hand"
LOGITS = "logits, and the words that they are of"

# directions first: margin.toward is one
MEASUREMENTS = (
    Measurement(
        "toward", r"\.toward\b", directions(FLOW), "logits", f"the way toward the margin, holding {FLOW.says}", LOGITS
    ),
    Measurement("direct", r"\.direct\b", directions(DIRECT), "logits", f"the same, holding {DIRECT.says}", LOGITS),
    Measurement(
        "margin", r"^margin\b", margin_steps, "logits", "by how much one word's logit exceeds the other's", LOGITS
    ),
    Measurement(
        "contribution", r"(^|\.)contribution\b", contribution_steps, "logits", "what a part adds by itself", LOGITS
    ),
    Measurement("without", r"^without\b", without_steps, "logits", "the margin when nobody may read a word", LOGITS),
    Measurement(
        "says",
        r"(^|\.)says\.",
        says_steps,
        "",
        "what the model would say if it stopped after a layer",
        f"{LOGITS}, and layers",
    ),
    Measurement(
        "blame", r"^blame\b|\.blame_square$", blame_steps, "loss", "the size of the gradient in each role", LOSS
    ),
    Measurement("after", r"(^|\.)after\.", after_steps, "", "the run after one update", LOSS),
    Measurement("guessing", r"^guessing\b", guessing_steps, "loss", "the loss of guessing", LOGITS),
    Measurement(
        "flow",
        r"(^|\.)flow\b|\.carried(\.each)?$|\.constant$",
        flow_steps,
        "logits",
        "what is carried to the margin",
        LOGITS,
    ),
    Measurement(
        "sent",
        r"(^|\.)(sent|value_size|value_square|weight_size)$",
        sent_steps,
        "",
        "the size of what a word sends",
        MIXING,
    ),
    Measurement("entropy", r"(^|\.)entropy\b", entropy_steps, "nats", "how spread out a word's reading is", MIXING),
    Measurement(
        "distance", r"(^|\.)(distance|words_apart)$", distance_steps, "words", "how far away a word reads", MIXING
    ),
    Measurement("received", r"(^|\.)received$", received_steps, "words", "how much all words read a word", MIXING),
)


def gravity(position: str) -> Measurement:
    """One word's own gravity: each word has its own measurement."""
    make = partial(gravity_steps, position=int(position))
    says = "what pulled a word away from its own place"
    return Measurement(f"gravity{position}", "", make, "", says, "the word vectors, x")


def measurement(name: str) -> Measurement:
    word = GRAVITY.fullmatch(name)
    found = gravity(word[1]) if word else next((m for m in MEASUREMENTS if m.name == name), None)
    if found is None:
        raise NotFound(f"no measurement {name!r}; {suggestion(name, (m.name for m in MEASUREMENTS))}")
    return found


def measuring(address: object) -> str | None:
    """The measurement whose steps have names like this one."""
    name = address.partition("[")[0].strip() if isinstance(address, str) else ""
    word = next((part for part in name.split(".") if GRAVITY.fullmatch(part)), None)
    return word or next((m.name for m in MEASUREMENTS if re.search(m.pattern, name)), None)
