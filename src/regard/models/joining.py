"""How the heads of a layer become one vector again, as values: laid side by side, or added up."""

from dataclasses import dataclass

from regard.models.parts import Shapes
from regard.models.verbs import D, Parameters, Verbs, X


@dataclass(frozen=True)
class SideBySide:
    """Each head has its own rows of W_O (Vaswani et al. 2017): concatenation, then one map."""

    def width(self, heads: int, head_width: int) -> int:
        """How wide the joined heads are before W_O."""
        return heads * head_width

    def shapes(self, heads: int, head_width: int, width: int) -> Shapes:
        return {"W_O": ("HDC", (heads, head_width, width))}

    def __call__(self, do: Verbs[X, D], context: X, parameters: Parameters[X]) -> X:
        return do.join(context, parameters.get("W_O"), parameters.get("b_O"))


@dataclass(frozen=True)
class Added(SideBySide):
    """The heads are summed, and one small W_O serves them all: nothing says any more which head said what."""

    def width(self, heads: int, head_width: int) -> int:
        return head_width

    def shapes(self, heads: int, head_width: int, width: int) -> Shapes:
        return {"W_O": ("DC", (head_width, width))}

    def __call__(self, do: Verbs[X, D], context: X, parameters: Parameters[X]) -> X:
        return do.join_by_adding(context, parameters.get("W_O"), parameters.get("b_O"))
