"""Attention on your own arrays: hand in q, k and v, or parameters and word vectors, and ask every number why.

>>> trace = attention([[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [3.0, 4.0]])
>>> print(trace.why("weights[1,1]"))
weights[1,1] = 0.8044 = 4.1133 / 5.1133
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from regard.attending.masks import of_last_queries
from regard.models.glass import Glass
from regard.models.settings import Settings
from regard.models.transformer import attention as attention_block
from regard.ops.scaling import ROOT, Times
from regard.trace import Labels, Trace

Visible = Any  # an array of True and False, or a function of the number of tokens that makes one
CONVENTIONS = ("x·W", "W·x")


def attention(q: Any, k: Any, v: Any, visible: Visible = None, scale: float | None = None, words: Any = None) -> Trace:
    """Who reads whom, given queries, keys and values: softmax(q·kᵀ / √D)·v, each step of it named.

    q is (Q, D), (H, Q, D) or (B, H, Q, D): queries, heads, batch. k and v have the same axes, with K keys; v may have
    another last size, and k and v may have fewer heads, which the query heads share. `visible` says who may look at
    whom, True for yes, in the shape (Q, K), (H, Q, K) or (B, H, Q, K), where any size may be 1 and is repeated, or as
    a function of the number of tokens such as `regard.causal`; without it every word sees every word. If there are
    fewer queries than keys, they are the last of the tokens, as in a cache. `scale` is what scores are multiplied by,
    by default 1/√D.
    `words` name both queries and keys, or are a pair: those of the queries, those of the keys.

    The steps: q, k, v, scores, scaled, masked, peak, exps, total, weights, context.

    >>> from regard.attending.masks import causal
    >>> x = [[0.1, 0.2], [0.4, 0.1], [0.8, 0.6]]
    >>> trace = attention(x, x, x, visible=causal, words=["The", "quick", "fox"])
    >>> print(trace["weights"])
    weights  query (3) × key (3)
              The   quick     fox
    The    1.0000  0.0000  0.0000
    quick  0.4806  0.5194  0.0000
    fox    0.2566  0.2915  0.4519
    >>> print(trace.why("scaled[fox,quick]"))
    scaled[fox,quick] = 0.2687 = 0.3800 / √2
    >>> trace.edit("weights[fox,The]", 1.0).array("context")[2].round(4).tolist()
    [0.5781, 0.5003]
    """
    q, k, v = _numbers("q", q, (2, 3, 4)), _numbers("k", k, (2, 3, 4)), _numbers("v", v, (2, 3, 4))
    _check_together(q, k, v)
    factor = 1.0 if scale is None else _scale(scale)
    _check_overflow(_largest(q) * _largest(k) * q.shape[-1] * max(1.0, abs(factor)))
    queries, keys = q.shape[-2], k.shape[-2]
    mask = _mask(visible, (*q.shape[:-1], keys))
    do = Glass()
    lead = "BH"[4 - q.ndim :] if q.ndim > 2 else ""
    shared = lead if k.shape[:-2] == q.shape[:-2] else lead.replace("H", "G")
    given_q = do.given("q", q, f"{lead}QD")
    given_k, given_v = do.given("k", k, f"{shared}KD"), do.given("v", v, f"{shared}KD")
    if lead:
        given_k = do.share("k.shared", given_k, q.shape[-3])
        given_v = do.share("v.shared", given_v, q.shape[-3])
    do.attend(given_q, given_k, given_v, mask, ROOT if scale is None else Times(factor), None)
    labels = _labels(words, queries, keys)
    return Trace(tuple(do.steps), Labels(labels), _info("attention", labels))


class MultiHead:
    """Attention with your own parameters: from word vectors to what every head adds to them.

    In the convention "x·W" words are rows, q = x @ W_Q, and W_Q is (width, heads · head width). In "W·x" it is the
    other way round, q = W_Q @ x, as in PyTorch's Linear: W_Q is (heads · head width, width), W_O (width, heads · head
    width). Either way x has one word per row, and addresses are in the order of x·W. An array of three axes has its
    heads apart and is taken as it is: W_Q (heads, width, head width), W_O (heads, head width, width). Fewer heads for
    keys and values are read off W_K. Without W_O the heads are laid side by side.

    The steps: the parameters, x, q, k, v, scores, scaled, masked, peak, exps, total, weights, context, by_head,
    attended.

    >>> Wq = [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]  # three numbers per word, one head of two
    >>> read = MultiHead(Wq, Wq, Wq)
    >>> trace = read([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]], words=["cat", "sat"])
    >>> print(trace.why("q[cat,0]"))
    q[cat,0] = 1.50 = 1.00·1.00 + 0.00·0.00 + 0.50·1.00
    >>> import numpy as np
    >>> same = MultiHead(np.transpose(Wq), np.transpose(Wq), np.transpose(Wq), convention="W·x")
    >>> bool(np.all(same(trace.array("x")).array("attended") == trace.array("attended")))
    True
    """

    def __init__(
        self,
        W_Q: Any,
        W_K: Any,
        W_V: Any,
        W_O: Any = None,
        b_Q: Any = None,
        b_K: Any = None,
        b_V: Any = None,
        b_O: Any = None,
        heads: int | None = None,
        convention: str = "x·W",
    ):
        self.convention = _convention(convention)
        columns = self.convention == "W·x"
        queries = _heads_apart("W_Q", W_Q, heads, columns, "heads")
        self.heads, self.width, self.head_width = queries.shape
        if heads is not None and heads != self.heads:
            raise ValueError(f"W_Q has {self.heads} heads, got heads={heads}; leave heads out")
        self.kv_heads = _kv_heads(W_K, columns, self.head_width, self.heads)
        keys = _heads_apart("W_K", W_K, self.kv_heads, columns, "key/value heads")
        values = _heads_apart("W_V", W_V, self.kv_heads, columns, "key/value heads")
        _check_fit(queries, keys, values, self.convention)
        made: dict[str, np.ndarray | None] = {
            "W_Q": queries,
            "W_K": keys,
            "W_V": values,
            "W_O": _output(W_O, self.heads, values.shape[2], columns),
            "b_Q": _bias("b_Q", b_Q, queries),
            "b_K": _bias("b_K", b_K, keys),
            "b_V": _bias("b_V", b_V, values),
        }
        if b_O is not None and made["W_O"] is None:
            raise ValueError("b_O is added after W_O, got b_O alone; give W_O as well")
        made["b_O"] = None if made["W_O"] is None else _bias("b_O", b_O, made["W_O"][:1])
        # every parameter with its heads apart, whatever its convention
        self.parameters = {name: array for name, array in made.items() if array is not None}

    def __call__(self, x: Any, visible: Visible = None, words: Any = None) -> Trace:
        """Run it over words, one per row of x."""
        x = _numbers("x", x, (2,))
        tokens, width = x.shape
        if width != self.width:
            raise ValueError(
                f"W_Q expects {self.width} numbers per word, got {width}; x has one word per row, and the parameters "
                f'were read in the convention "{self.convention}"'
            )
        self._check_sizes(_largest(x))
        mask = _mask(visible, (self.heads, tokens, tokens))
        labels = _labels(words, tokens, tokens)
        if "Q" in labels:
            labels["T"] = labels["Q"]
        do = Glass()
        parameters = do.parameters({name: (AXES[name], array) for name, array in self.parameters.items()})
        settings = Settings(width, self.heads, 1, 1, kv_heads=self.kv_heads, head_width=self.head_width)
        attention_block(do, do.given("x", x, "TC"), parameters, settings, mask)
        return Trace(tuple(do.steps), Labels(labels), _info("multi-head attention", labels))

    def _check_sizes(self, largest_x: float) -> None:
        def reach(name: str) -> float:
            """No cell of q, k or v is larger."""
            product = largest_x * _largest(self.parameters[f"W_{name}"]) * self.width
            return product + (_largest(self.parameters[f"b_{name}"]) if f"b_{name}" in self.parameters else 0.0)

        _check_overflow(reach("Q") * reach("K") * self.head_width)
        W_O = self.parameters.get("W_O", np.ones((1, 1, 1)))
        _check_overflow(reach("V") * _largest(W_O) * W_O.shape[0] * W_O.shape[1])


AXES = {"W_Q": "HCD", "W_K": "GCD", "W_V": "GCD", "W_O": "HDC", "b_Q": "HD", "b_K": "GD", "b_V": "GD", "b_O": "C"}


# what is accepted


def _numbers(name: str, array: Any, axes: Sequence[int]) -> np.ndarray:
    """Any real numbers as float64."""
    try:
        came = np.asarray(array)
    except (ValueError, TypeError, RuntimeError) as error:
        raise ValueError(
            f"{name} is not an array: {error}; give rows of equal length, or tensor.detach().cpu()"
        ) from None
    if came.dtype.kind not in "fiu":
        raise ValueError(f"{name} expects numbers such as float64, got values of type {came.dtype}")
    if came.ndim not in axes:
        raise ValueError(f"{name} expects {_listed(axes)} axes, got shape {came.shape}")
    if came.size == 0:
        raise ValueError(f"{name} is empty, with shape {came.shape}; give at least one word and one number per word")
    result = came.astype(np.float64)
    if not np.isfinite(result).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(result))[0])
        raise ValueError(
            f"{name}{list(place)} is {result[place]}; every number must be finite. To hide a word, use visible"
        )
    return result


def _listed(axes: Sequence[int]) -> str:
    *first, last = map(str, axes)
    return f"{', '.join(first)} or {last}" if first else last


def _check_together(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> None:
    shapes = f"q {q.shape}, k {k.shape}, v {v.shape}"
    if not q.ndim == k.ndim == v.ndim:
        raise ValueError(f"q, k and v must have the same number of axes, got {shapes}")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"queries and keys must have the same width, the last size, got {shapes}")
    if k.shape[:-1] != v.shape[:-1]:
        raise ValueError(f"every key needs one value, so all sizes but the last must agree, got {shapes}")
    if q.ndim == 4 and q.shape[0] != k.shape[0]:
        raise ValueError(f"the batches, the first sizes, must agree, got {shapes}")
    if q.ndim > 2 and q.shape[-3] % k.shape[-3]:
        raise ValueError(f"{q.shape[-3]} query heads cannot share {k.shape[-3]} key/value heads evenly, got {shapes}")


def _largest(array: np.ndarray) -> float:
    return float(np.abs(array).max())


def _check_overflow(size: float) -> None:
    if not size < math.inf:
        raise ValueError("the numbers are so large that q·k exceeds the range of float64; divide them first")


def _scale(scale: Any) -> float:
    if isinstance(scale, bool | str):
        raise ValueError(f"scale expects the number that scores are multiplied by, got {scale!r}")
    try:
        number = float(scale)
    except (TypeError, ValueError):
        raise ValueError(f"scale expects the number that scores are multiplied by, got {scale!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"scale must be finite, got {number}")
    return number


def _mask(visible: Visible, shape: tuple[int, ...]) -> np.ndarray:
    """True where a query may look, for scores of this shape."""
    queries, keys = shape[-2:]
    if visible is None:
        return np.ones((queries, keys), dtype=bool)
    if callable(visible):
        visible = _made_for(visible, queries, keys)
    mask = np.asarray(visible)
    if mask.dtype.kind == "f":
        raise ValueError(
            "visible expects True (may look) and False, got floats. If yours is added to the scores, "
            "with -inf for hidden, pass visible=(mask == 0)"
        )
    if mask.dtype.kind in "iu" and np.isin(mask, (0, 1)).all():
        mask = mask.astype(bool)
    if mask.dtype != bool:
        raise ValueError(f"visible expects True and False, or 1 and 0, got values of type {mask.dtype}")
    whole = shape[len(shape) - mask.ndim :]
    mask = of_last_queries(mask, queries, keys)
    if not 2 <= mask.ndim <= len(shape) or any(size not in (1, wanted) for size, wanted in zip(mask.shape, whole)):
        fitting = " or ".join(str(shape[i:]) for i in range(len(shape) - 2, -1, -1))
        raise ValueError(
            f"visible expects the shape {fitting}, with 1 for a size along which it is the same, got {mask.shape}"
        )
    return np.broadcast_to(mask, whole)


def _made_for(visible: Callable[[int], Any], queries: int, keys: int) -> Any:
    if queries > keys:
        raise ValueError(
            f"visible is a function of the number of tokens, but there are only {keys} keys for {queries} queries; "
            f"pass an array of the shape ({queries}, {keys})"
        )
    return visible(keys)


def _labels(words: Any, queries: int, keys: int) -> dict[str, tuple[str, ...]]:
    if words is None:
        return {}
    if isinstance(words, str):
        raise ValueError(f'words expects a list of words, got a string; write words="{words[:40]}".split()')
    words = list(words)
    is_pair = len(words) == 2 and not any(isinstance(w, str) for w in words)
    of_queries, of_keys = words if is_pair else (words, words)
    if not is_pair and queries != keys and len(words) in (queries, keys):
        raise ValueError(
            f"there are {queries} queries and {keys} keys; give two lists: words=(those of queries, those of keys)"
        )
    return {**_along("Q", "queries", of_queries, queries), **_along("K", "keys", of_keys, keys)}


def _along(letter: str, what: str, words: Any, size: int) -> dict[str, tuple[str, ...]]:
    if words is None:
        return {}
    along = tuple(words)
    if not all(isinstance(w, str) for w in along):
        raise ValueError(f"words must be strings, got {next(w for w in along if not isinstance(w, str))!r}")
    if len(along) != size:
        raise ValueError(f"expected one word for each of the {size} {what}, got {len(along)}")
    return {letter: tuple(str(w) for w in along)}


def _info(title: str, labels: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    return {"model": None, "title": title, "notes": [], "tokens": list(labels.get("K", ()))}


# parameters, with their heads apart


def _convention(written: Any) -> str:
    """x·W, however the dot is typed."""
    convention = re.sub(r"\s*[·@*.]\s*", "·", str(written))
    if convention not in CONVENTIONS:
        raise ValueError(f"unknown convention {written!r}; choose {' or '.join(CONVENTIONS)}")
    return convention


def _heads_apart(name: str, array: Any, heads: int | None, columns: bool, what: str) -> np.ndarray:
    """(heads, width, head width), from that or from a matrix in which the heads are side by side."""
    W = _numbers(name, array, (2, 3))
    if W.ndim == 3:
        return W
    W = W.T if columns else W
    heads = 1 if heads is None else heads
    if not isinstance(heads, int | np.integer) or heads < 1 or W.shape[1] % heads:
        raise ValueError(
            f"{name} makes {W.shape[1]} numbers per word, which {heads} {what} cannot divide evenly; "
            f'its shape is {np.shape(array)}, read in the convention "{CONVENTIONS[columns]}"'
        )
    return W.reshape(W.shape[0], heads, -1).transpose(1, 0, 2)


def _kv_heads(W_K: Any, columns: bool, head_width: int, heads: int) -> int:
    W = _numbers("W_K", W_K, (2, 3))
    if W.ndim == 3:
        found, rest = len(W), 0
    else:
        found, rest = divmod(W.shape[0 if columns else 1], head_width)
    if rest or not found or heads % found:
        raise ValueError(
            f'W_K has the shape {W.shape}, read in the convention "{CONVENTIONS[columns]}"; with {heads} heads of '
            f"{head_width} it must make {head_width} numbers per word, or as many times that as divides {heads}"
        )
    return found


def _check_fit(W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, convention: str) -> None:
    shapes = f"W_Q {W_Q.shape}, W_K {W_K.shape}, W_V {W_V.shape}"
    if not W_Q.shape[1] == W_K.shape[1] == W_V.shape[1]:
        other = next(c for c in CONVENTIONS if c != convention)
        raise ValueError(
            f"W_Q, W_K and W_V read vectors of different width; as (heads, width, head width) they are {shapes}, "
            f'in the convention "{convention}"; the other one is "{other}"'
        )
    if W_Q.shape[2] != W_K.shape[2] or W_K.shape[0] != W_V.shape[0]:
        raise ValueError(
            "queries and keys need heads of the same width, keys and values the same number of heads; "
            f"as (heads, width, head width) they are {shapes}"
        )


def _output(array: Any, heads: int, value_width: int, columns: bool) -> np.ndarray | None:
    if array is None:
        return None
    W = _numbers("W_O", array, (2, 3))
    if W.ndim == 2:
        W = W.T if columns else W
        W = W.reshape(heads, value_width, -1) if len(W) == heads * value_width else W
    if W.shape[:-1] != (heads, value_width):
        rows = heads * value_width
        raise ValueError(
            f"W_O has the shape {np.shape(array)}; {heads} heads of {value_width} need "
            f'{f"(…, {rows})" if columns else f"({rows}, …)"} in the convention "{CONVENTIONS[columns]}", '
            f"or ({heads}, {value_width}, …)"
        )
    return W


def _bias(name: str, array: Any, W: np.ndarray) -> np.ndarray | None:
    """One number for each number that W makes, in a row or by head."""
    if array is None:
        return None
    bias = _numbers(name, array, (1, 2))
    heads, _, numbers = W.shape
    if bias.shape not in ((heads, numbers), (heads * numbers,)):
        raise ValueError(f"{name} expects {heads * numbers} numbers, got shape {bias.shape}")
    return bias.reshape((numbers,) if name == "b_O" else (heads, numbers))
