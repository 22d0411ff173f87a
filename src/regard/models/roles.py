"""Which maps make queries, keys and values, as values: three of its own, or one that serves two roles."""

from dataclasses import dataclass

from regard.models.parts import Shapes
from regard.models.verbs import D, Parameters, Verbs, X

AXES = {"Q": "HCD", "K": "GCD", "V": "GCD"}


@dataclass(frozen=True)
class OwnRoles:
    """A map for each role: what a word looks for, what it is found by, what it passes on."""

    def shapes(self, heads: int, kv_heads: int, width: int, head_width: int, biases: bool) -> Shapes:
        sizes = {"H": heads, "G": kv_heads, "C": width, "D": head_width}
        found: Shapes = {f"W_{r}": (AXES[r], tuple(sizes[a] for a in AXES[r])) for r in self.learned}
        if biases:
            found |= {f"b_{r}": (AXES[r][0] + "D", (sizes[AXES[r][0]], head_width)) for r in self.learned}
        return found

    @property
    def learned(self) -> tuple[str, ...]:
        """The roles that have a map of their own."""
        return "Q", "K", "V"

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> tuple[X, X, X]:
        """q, k and v."""
        q = do.heads("q", x, parameters["W_Q"], parameters.get("b_Q"), "HQD")
        k = do.heads("k", x, parameters["W_K"], parameters.get("b_K"), "GKD")
        v = do.heads("v", x, parameters["W_V"], parameters.get("b_V"), "GKD")
        return q, k, v


@dataclass(frozen=True)
class BiasedRoles(OwnRoles):
    """A map for each role with a bias of its own, even where no other map has one (Qwen2)."""

    def shapes(self, heads: int, kv_heads: int, width: int, head_width: int, biases: bool) -> Shapes:
        return super().shapes(heads, kv_heads, width, head_width, True)


@dataclass(frozen=True)
class KeysAreValues(OwnRoles):
    """What a word is found by is what it passes on: K = V."""

    @property
    def learned(self) -> tuple[str, ...]:
        return "Q", "K"

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> tuple[X, X, X]:
        q = do.heads("q", x, parameters["W_Q"], parameters.get("b_Q"), "HQD")
        k = do.heads("k", x, parameters["W_K"], parameters.get("b_K"), "GKD")
        return q, k, k


@dataclass(frozen=True)
class QueriesAreKeys(OwnRoles):
    """What a word looks for is what it is found by: Q = K, so that two words give each other the same score."""

    @property
    def learned(self) -> tuple[str, ...]:
        return "Q", "V"

    def __call__(self, do: Verbs[X, D], x: X, parameters: Parameters[X]) -> tuple[X, X, X]:
        q = do.heads("q", x, parameters["W_Q"], parameters.get("b_Q"), "HQD")
        k = do.heads("k", x, parameters["W_Q"], parameters.get("b_Q"), "GKD")
        v = do.heads("v", x, parameters["W_V"], parameters.get("b_V"), "GKD")
        return q, k, v
