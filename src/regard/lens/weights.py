"""The weights of a run as `Weights`, just as for a long text."""

from regard.attending.weights import Weights
from regard.lens.heads import layer_number, layers_of
from regard.suggestions import NotFound
from regard.trace import Trace
from regard.trace.expected import one_trace


def weights_of(trace: Trace, layer: int | None = None) -> Weights:
    """Who reads whom in a layer, or in the only layer there is; edits and pins included.

    >>> import regard
    >>> weights = weights_of(regard.explain("The quick brown fox", model="fox"))
    >>> weights, weights[0].row(3).round(2).tolist()
    (Weights of 1 head, 4 queries × 4 keys, [0.1, 0.05, 0.1, 0.75])
    """
    one_trace(trace)
    if layer is not None:
        return Weights.from_matrix(trace.array(f"layer{layer_number(trace, layer)}.weights"))
    layers = layers_of(trace)
    if len(layers) > 1:
        raise NotFound(f"there are {len(layers)} layers; say which one, counted from 0: weights_of(trace, layer=0)")
    return Weights.from_matrix(trace.array("weights"))
