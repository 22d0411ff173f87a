"""Fast computes what Glass computes: outputs and every gradient, on every pair of variants (hardening 7, 9)."""

import shutil
import sysconfig
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.attending.masks import causal
from regard.models.fast import Fast
from regard.models.network import Network
from regard.models.transformer import at_places, every_next_word, next_word, predicted_logits, transformer

LIMITS = {torch.float64: 1e-9, torch.float32: 1e-4}
TOKENS = 5
PLACES = [TOKENS - 2, 0]


def run_fast(variant, arrays, ids, dtype, visible=None):
    """Logits of every position, the loss as the variant asks for it, and the parameters with their gradients."""
    settings = variant.settings()
    do = Fast()
    parameters = {name: torch.tensor(a, dtype=dtype, requires_grad=True) for name, a in arrays.items()}
    rows = torch.tensor(ids)
    segments = (torch.arange(rows.shape[1]) % 2).expand(rows.shape) if variant["segments"] else None
    x = transformer(do, rows, parameters, settings, variant["mask"] if visible is None else visible, segments)
    targets = (5 * rows + 2) % settings.writes
    if variant["task"] == "every":
        loss = every_next_word(do, x, parameters, targets, settings.logit_cap)
    elif variant["task"] == "places":
        places = torch.tensor(PLACES).expand(len(rows), -1)
        loss = at_places(do, x, parameters, places, targets.gather(1, places), settings.logit_cap)
    else:
        position = max(rows.shape[1] - 3, 0)
        loss = next_word(do, x, parameters, position, targets[:, position], settings.logit_cap).mean()
    loss.backward()
    return predicted_logits(do, x, parameters, settings.logit_cap).detach(), loss.detach(), parameters


def error(found, expected, whole: float = 0.0) -> float:
    """The largest difference over the tensor's largest value.

    Some gradients are 0 whatever the numbers: softmax does not feel what b_K adds to a whole row of scores. What
    rounding leaves of them is measured against the `whole` gradient's largest value; in single precision more is left.
    """
    small = 1e-6 if found.dtype == torch.float64 else 1e-4
    largest = np.abs(expected).max()
    difference = np.abs(found.double().numpy() - expected).max()
    return float(difference / (whole if largest < small * whole else max(largest, 1e-300)))


def largest(arrays) -> float:
    return max(float(np.abs(a).max()) for a in arrays)


@pytest.mark.parametrize("dtype", LIMITS, ids=str)
def test_outputs_and_every_gradient_equal_those_of_glass(variant, trace_of, arrays_of, dtype):
    arrays = arrays_of(variant, 1)
    trace = trace_of(variant, TOKENS).backward()
    logits, loss, parameters = run_fast(variant, arrays, [trace.info["ids"]], dtype)
    expected = trace.array("logits")
    position = {"every": slice(None), "places": PLACES, "next": TOKENS - 3}[variant["task"]]
    assert error(logits[0, position], expected) <= LIMITS[dtype]
    assert error(loss, trace.array("loss")) <= LIMITS[dtype]
    expected = {name: trace.array(f"{name}.grad") for name in parameters}
    for name, parameter in parameters.items():
        assert parameter.grad is not None, name
        assert error(parameter.grad, expected[name], largest(expected.values())) <= LIMITS[dtype], name


def test_two_texts_in_a_batch_equal_two_runs(variant, arrays_of):
    arrays = arrays_of(variant, 1)
    texts = [[3, 0, 3, 11, 5], [1, 7, 2, 12, 0]]
    together, loss, parameters = run_fast(variant, arrays, texts, torch.float64)
    alone = [run_fast(variant, arrays, [text], torch.float64) for text in texts]
    assert error(together, torch.cat([logits for logits, _, _ in alone]).numpy()) <= 1e-12
    assert error(loss, np.mean([float(one) for _, one, _ in alone])) <= 1e-12
    means = {name: (sum(each[name].grad for _, _, each in alone) / 2).numpy() for name in parameters}
    for name, parameter in parameters.items():
        assert error(parameter.grad, means[name], largest(means.values())) <= 1e-11, name


def test_the_past_does_not_see_the_future(variant, arrays_of):
    """Another future leaves the past bit for bit the same, and a poisoned one too."""
    arrays = arrays_of(variant, 1)
    ids = [3, 0, 3, 11, 5]
    for kept in range(1, len(ids)):
        other = ids[:kept] + [9] * (len(ids) - kept)
        ours, theirs = (run_fast(variant, arrays, [row], torch.float32, causal)[0] for row in (ids, other))
        assert torch.equal(ours[0, :kept], theirs[0, :kept])
    poisoned = {name: a.copy() for name, a in arrays.items()}
    poisoned["E"][9] = 1e6
    with torch.no_grad():
        do, settings = Fast(), variant.settings()
        clean, bad = (
            transformer(do, torch.tensor([[*ids[:4], 9]]), {n: torch.tensor(a) for n, a in p.items()}, settings, causal)
            for p in (arrays, poisoned)
        )
    assert torch.equal(clean[0, :4], bad[0, :4]) and not torch.equal(clean[0, 4], bad[0, 4])


def small(plain_variant, arrays_of, dropout=0.0, **parts):
    variant = plain_variant.but(**parts)
    return Network(variant.settings(), arrays_of(variant, 1), causal, dropout)


COMPILED = {
    "as GPT-2": {"norm": "layer", "mlp": "tanh", "positions": "learned", "tied": "tied", "biases": "biases"},
    "as Llama": {"norm": "rms", "mlp": "gated", "positions": "rotary", "heads": "6of3", "layers": "2layers"},
}


# the second only as far as the graph: compiling C++ takes twenty seconds each time
@pytest.mark.parametrize("parts, backend", [*zip(COMPILED.values(), ("inductor", "aot_eager"))], ids=list(COMPILED))
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_the_network_compiles_as_one_graph(plain_variant, arrays_of, parts, backend):
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if backend == "inductor" and not (shutil.which("g++") and headers.is_file()):
        pytest.skip("torch compiles with g++ and Python.h, which are not here; as root `make test` installs them")
    network = small(plain_variant, arrays_of, **parts)
    ids = torch.tensor([[3, 0, 3, 11, 5], [1, 7, 2, 12, 0]])
    loss = network(ids, ids.roll(-1))
    loss.backward()
    plain = {name: p.grad.double().numpy().copy() for name, p in network.by_name.items()}
    network.zero_grad()
    torch.compiler.reset()
    compiled = torch.compile(network, fullgraph=True, backend=backend)(ids, ids.roll(-1))
    compiled.backward()
    assert error(compiled.detach(), float(loss)) <= 1e-5
    for name, p in network.by_name.items():
        assert error(p.grad, plain[name], largest(plain.values())) <= 1e-4, name


@pytest.mark.parametrize("parts", COMPILED.values(), ids=list(COMPILED))
def test_in_short_precision_the_stream_is_short_and_the_gradients_are_near(plain_variant, arrays_of, parts):
    network = small(plain_variant, arrays_of, **parts)
    ids = torch.tensor([[3, 0, 3, 11, 5], [1, 7, 2, 12, 0]])
    loss = network(ids, ids.roll(-1))
    loss.backward()
    exact = torch.cat([p.grad.flatten() for p in network.parameters()])
    network.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x = Fast().embed("x", network.by_name["E"], ids)
        short = network(ids, ids.roll(-1))
    short.backward()
    assert x.dtype == torch.bfloat16 and short.dtype == torch.float32
    assert abs(short.detach() / loss.detach() - 1) < 0.02
    found = torch.cat([p.grad.flatten() for p in network.parameters()])
    assert (found - exact).norm() < 0.05 * exact.norm()


def test_dropout_is_off_when_nothing_is_learned(plain_variant, arrays_of):
    network = small(plain_variant, arrays_of, dropout=0.5, norm="layer", mlp="gelu")
    ids = torch.tensor([[3, 0, 3, 11, 5]])
    network.train()
    torch.manual_seed(1)
    assert not torch.equal(network(ids), network(ids))
    network.eval()
    whole = small(plain_variant, arrays_of, norm="layer", mlp="gelu")
    assert torch.equal(network(ids), network(ids)) and torch.equal(network(ids), whole(ids))
