"""nn.MultiheadAttention when it is asked for its weights: it computes by the formula, in two products of matrices."""

from collections.abc import Callable
from typing import Any

import torch

from regard.watching.call import Call
from regard.watching.reading_masks import read_mask
from regard.watching.watchers import Asked, asked_by, regret, state, tell

_is_transformed: Any = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue]


def with_products(forward: Callable[..., Any]) -> Callable[..., Any]:
    """In the place of the function behind nn.MultiheadAttention: its first product is that of queries and keys, its
    second that of weights and values."""

    def watched(query: Any, key: Any, value: Any, width: int, num_heads: int, *rest: Any, **more: Any) -> Any:
        asked = asked_by()
        if not asked:
            return forward(query, key, value, width, num_heads, *rest, **more)
        state.products = products = []
        try:
            answer = forward(query, key, value, width, num_heads, *rest, **more)
        finally:
            state.products = None
        if len(products) == 2 and all(type(x) is torch.Tensor and not _is_transformed(x) for x in products[0]):
            _by_products(asked, products, num_heads)
        elif products:
            regret(asked, "computes its weights in a way that is not known")
        return answer

    return watched


def noted(product: Callable[..., Any]) -> Callable[..., Any]:
    """In the place of torch's products of matrices: in nn.MultiheadAttention they are its scores and its context."""

    def called(*given: Any, **named: Any) -> Any:
        found = product(*given, **named)
        products = state.products
        if products is not None and not named:
            products.append((*given, found))
        return found

    return called


def _by_products(asked: Asked, products: list[tuple[Any, ...]], heads: int) -> None:
    *added, q, k, scores = products[0]
    weights, v, context = products[1]
    mask = added[0] if added else None

    def apart(x: torch.Tensor) -> torch.Tensor:
        return x.reshape(-1, heads, *x.shape[1:])

    dropped = 1.0 - float((weights != 0).sum() / (scores.detach().softmax(-1) != 0).sum().clamp(min=1))
    mask = mask if mask is None or mask.shape[0] == 1 else apart(mask)
    sight = read_mask(mask, False, q.shape[1], k.shape[2])
    # the queries are already scaled
    call = Call(apart(q), apart(k.transpose(1, 2)), apart(v), sight, 1.0, apart(context), "formula", dropout=dropped)
    if tell(asked, call) is not call.context:
        raise ValueError(
            "an nn.MultiheadAttention that shows its weights computes by the formula, and cannot be changed; "
            "call it with need_weights=False"
        )
