"""Reading a long text: every number but the weights is a step as before, and nothing of tokens × tokens is stored.

Attention is computed tile by tile (attending/blockwise.py). What each head mixed, `context`, is in the trace as
given; its weights are a `Weights`, which computes any part when asked. No gradient passes through it: the run can be
looked at, but neither blamed nor trained.
"""

from numpy.typing import ArrayLike

from regard.attending.bias import ByDistance
from regard.attending.blockwise import attend_in_tiles
from regard.attending.masks import Visible, narrowed
from regard.attending.scores import Scores
from regard.attending.sources import Queries
from regard.attending.weights import Weights
from regard.models.glass import Glass
from regard.models.model import Model
from regard.ops.scaling import Scaling
from regard.trace import Step, Trace


class Long(Glass):
    """Glass, but for attention."""

    def __init__(self, steps: list[Step] | None = None, prefix: str = "", weights: list[Weights] | None = None):
        super().__init__(steps, prefix)
        self.weights: list[Weights] = [] if weights is None else weights  # of each layer

    def within(self, name: str) -> "Long":
        return Long(self.steps, f"{self.prefix}{name}.", self.weights)

    def share(self, name: str, x: Step, heads: int) -> Step:
        return x  # Scores shares key/value heads by itself

    def attend(
        self,
        q: Step,
        k: Step,
        v: Step,
        visible: Visible | ArrayLike,
        scaling: Scaling,
        bias: ByDistance[Step] | None,
        window: int = 0,
        cap: float | None = None,
    ) -> Step:
        scale, added = scaling.factor(q.shape[-1]), None if bias is None else ByDistance(bias.table.value)
        visible = narrowed(visible, window)
        context, lse = attend_in_tiles(q.value, k.value, v.value, visible, scale, added, cap)
        self.weights.append(Weights(Queries(Scores(q.value, k.value, visible, scale, added, cap), lse)))
        context.setflags(write=False)
        return self.given("context", context, "HQD")


def read_long(
    model: Model, text: str, mask: str | None = None, query: str | None = None
) -> tuple[Trace, list[Weights]]:
    """A run over a long text, and the weights of each of its layers.

    >>> from regard.models.catalogue import find_model
    >>> trace, weights = read_long(find_model("two-heads"), "On the mat a cat sat")
    >>> trace.predicted, weights[0][1].row(5).round(2).tolist()
    ('purring', [0.1, 0.09, 0.55, 0.09, 0.09, 0.09])
    """
    do = Long()
    trace = model.run(text, None, mask, query, do)
    return trace, do.weights
