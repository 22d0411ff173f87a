"""What can be measured of a run: each measurement is further steps of the trace, made when first asked for.

`trace["layer5.entropy[3,little]"]` finds its measurement by the name; `regard why` opens it like any other number.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from regard.lens.alike import alike_steps
from regard.lens.attending import distance_steps, entropy_steps, received_steps, sent_steps
from regard.lens.blame import blame_steps, ratio_steps
from regard.lens.checking import gradient_guess_steps, rollout_steps
from regard.lens.contributions import contribution_steps
from regard.lens.cutting import cut_pair_steps, cut_steps
from regard.lens.flowing import flow_steps
from regard.lens.habits import habit_steps
from regard.lens.instead import instead_steps
from regard.lens.learning import after_steps, guessing_steps
from regard.lens.margin import margin_steps
from regard.lens.near import near_steps
from regard.lens.pulling import gravity_steps
from regard.lens.saying import says_steps
from regard.lens.sentence import sentence_steps
from regard.lens.together import (
    rest_of_biases,
    rest_of_contributions,
    rest_of_pairs,
    rest_of_probabilities,
    rest_of_weights,
    rest_of_words,
    sum_steps,
)
from regard.lens.who_reads import average_steps, others_steps
from regard.lens.without import without_steps
from regard.suggestions import NotFound, suggestion
from regard.trace import Step, Trace
from regard.trace.holding import DIRECT, FLOW, SLOPE, Holding
from regard.vectors.steps import SUM


@dataclass(frozen=True)
class Measurement:
    """What its steps are called (a pattern of names), how they are made, and what they say.

    `needs` is told where there is nothing to measure. `known_as` are names to suggest to somebody who has mistyped one,
    where its own name is not one of them.
    """

    name: str
    pattern: str
    make: Callable[[Trace], Iterable[Step]]
    unit: str
    says: str
    needs: str
    known_as: tuple[str, ...] = ()


@dataclass(frozen=True)
class Numbered:
    """A measurement that exists for every number: gravity3 is that of the word at 3, rest4 what four leave over.

    Each group in the `pattern` of its name is handed to `make`, after the trace, as what `read` makes of it.
    """

    pattern: str
    make: Callable[..., Iterable[Step]]
    unit: str
    says: str
    needs: str
    read: Callable[[str], int | str] = int

    def found_in(self, name: str) -> Measurement | None:
        """The measurement that the name of a step is one of."""
        found = re.search(rf"(?:^|\.){self.pattern}(?=\.|$)", name)
        if found is None:
            return None
        asked = tuple(map(self.read, found.groups()))
        return Measurement(
            found[0].lstrip("."), "", lambda trace: self.make(trace, *asked), self.unit, self.says, self.needs
        )


def directions(holding: Holding) -> Callable[[Trace], Iterable[Step]]:
    """The directions toward the margin, with something held."""
    return lambda trace: trace.backward("margin", holding).gradients


LOSS = "a loss: say which word should follow (next=…)"
MIXING = "attention's weights and values, not replaced by hand"
LOGITS = "logits, and the words that they are of"

# directions first: margin.toward is one
MEASUREMENTS = (
    Measurement(
        "toward",
        r"\.toward\b",
        directions(FLOW),
        "logits",
        f"the way toward the margin, holding {FLOW.says}",
        LOGITS,
        ("x.toward",),
    ),
    Measurement(
        "direct",
        r"\.direct\b",
        directions(DIRECT),
        "logits",
        f"the same, holding {DIRECT.says}",
        LOGITS,
        ("logits.direct",),
    ),
    Measurement(
        "slope",
        r"\.slope\b",
        directions(SLOPE),
        "logits",
        "the margin's gradient, holding nothing",
        LOGITS,
        ("x.slope",),
    ),
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
        ("says.probabilities", "says.logits"),
    ),
    Measurement(
        "ratio",
        r"^blame\.\w+\.ratio$",
        ratio_steps,
        "",
        "how many times more gradient W_V gets",
        f"{LOSS}, and W_V beside W_Q and W_K",
        ("blame.W_Q.ratio",),
    ),
    Measurement(
        "blame",
        r"^blame\b|\.blame_square$",
        blame_steps,
        "loss",
        "the size of the gradient in each role",
        LOSS,
        ("blame", "blame.W_Q"),
    ),
    Measurement(
        "after",
        r"(^|\.)after\.",
        after_steps,
        "",
        "the run after one update",
        LOSS,
        ("after.loss", "after.probabilities", "after.weights", "after.rate"),
    ),
    Measurement(
        "instead",
        r"^instead\.",
        instead_steps,
        "loss",
        "the loss if a switch were thrown: another scaling, another mask, no bias",
        LOSS,
        ("instead.none.change", "instead.both.change"),
    ),
    Measurement("guessing", r"^guessing\b", guessing_steps, "loss", "the loss of guessing", LOGITS),
    Measurement(
        "by_gradient",
        r"(^|\.)by_gradient$",
        gradient_guess_steps,
        "logits",
        "what a weight carries to the margin, by its gradient",
        f"{LOGITS}, and attention's weights",
    ),
    Measurement(
        "rollout",
        r"(^|\.)rollout\b",
        rollout_steps,
        "",
        "what attention rollout says a reading is worth",
        "attention's weights",
    ),
    Measurement(
        "flow",
        r"(^|\.)flow\b|\.carried\b|\.constant$",
        flow_steps,
        "logits",
        "what is carried to the margin",
        LOGITS,
        ("flow.words", "flow.biases", "flow.sum", "flow"),
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
    Measurement(
        "average_word",
        r"(^|\.)average_word\b|^visible\.count$",
        average_steps,
        "",
        "what an average word gets of a word's reading",
        MIXING,
        ("average_word",),
    ),
    Measurement(
        "others",
        r"(^|\.)others\b",
        others_steps,
        "",
        "how much the other words that see a word read it, on average",
        f"{MIXING}, and more than one word",
        ("others",),
    ),
    Measurement(
        "reads",
        r"(^|\.)reads\.",
        habit_steps,
        "",
        "how much a head gives to the word before, the first word, the same word",
        f"{MIXING}, and words that could be read so",
        ("reads.previous", "reads.first", "reads.induction"),
    ),
    Measurement("received", r"(^|\.)received$", received_steps, "words", "how much all words read a word", MIXING),
    Measurement(
        "sentence",
        r"^(sentence|pooled)\b",
        sentence_steps,
        "",
        "the mean of what the tokens end as, and the same at length 1",
        "a vector for every token at the end of the model",
        ("sentence", "pooled"),
    ),
    Measurement(
        "sum",
        r"(^|\.)(weights|probabilities)\.sum$",
        sum_steps,
        "",
        "what a row makes together",
        "rows that are shares of a whole",
        ("weights.sum", "probabilities.sum"),
    ),
)
LARGE = "more numbers than are shown"
NUMBERED = (
    Numbered(
        r"alike(\d+)", alike_steps, "", "how alike a word is to another, by itself and after each layer", "x and E"
    ),
    Numbered(
        rf"near({SUM})", near_steps, "", "how alike the vectors of two words are", "the table of word vectors, E", str
    ),
    Numbered(r"gravity(\d+)", gravity_steps, "", "what pulled a word away from its own place", "the word vectors, x"),
    Numbered(
        r"probabilities\.rest(\d+)", rest_of_probabilities, "", "what all but the most probable words have", LARGE
    ),
    Numbered(r"weights\.rest(\d+)", rest_of_weights, "", "the attention that all but the most read words get", LARGE),
    Numbered(
        r"contribution\.rest(\d+)", rest_of_contributions, "logits", "what all parts add but those that add most", LARGE
    ),
    Numbered(
        r"flow\.biases\.rest(\d+)", rest_of_biases, "logits", "what all biases carry but those that carry most", LARGE
    ),
    Numbered(
        r"flow\.rest(\d+)", rest_of_pairs, "logits", "what heads carry but between the pairs of words that count", LARGE
    ),
    Numbered(
        r"flow\.words\.rest(\d+)", rest_of_words, "logits", "what all words carry but those that carry most", LARGE
    ),
    Numbered(
        r"layer(\d+)\.cut(\d+)_(\d+)",
        cut_pair_steps,
        "logits",
        "the margin if no head of a layer read a word",
        MIXING,
    ),
    Numbered(
        r"layer(\d+)\.cut(\d+)_(\d+)_(\d+)", cut_steps, "logits", "the margin if a head did not read a word", MIXING
    ),
)


def measurement(name: str) -> Measurement:
    found = _numbered(name) or next((m for m in MEASUREMENTS if m.name == name), None)
    if found is None:
        raise NotFound(f"no measurement {name!r}; {suggestion(name, (m.name for m in MEASUREMENTS))}")
    return found


def measuring(address: object) -> str | None:
    """The measurement whose steps have names like this one."""
    name = address.partition("[")[0].strip() if isinstance(address, str) else ""
    numbered = _numbered(name)
    return numbered.name if numbered else next((m.name for m in MEASUREMENTS if re.search(m.pattern, name)), None)


def suggested() -> list[str]:
    """Names of measured steps, without their layer."""
    return [name for m in MEASUREMENTS for name in m.known_as or (m.name,)]


def _numbered(name: str) -> Measurement | None:
    return next((found for each in NUMBERED if (found := each.found_in(name)) is not None), None)
