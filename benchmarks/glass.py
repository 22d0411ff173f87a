"""The whole trace against the same maths in plain NumPy: 6 layers, 8 heads, width 256, 128 tokens.

    python benchmarks/glass.py

Prints medians of interleaved runs and their ratios: forward and backward with every step kept, an edit to the loss,
the arithmetic of one gradient cell.
"""

import statistics
import time

import numpy as np

from closed_form import backward, forward
from regard.attending.masks import causal
from regard.attending.positions import LearnedPositions
from regard.models.glass import Glass
from regard.models.parameters import checked, random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.models.transformer import every_next_word, transformer
from regard.trace import Trace

LAYERS, HEADS, WIDTH, TOKENS, WORDS, ROUNDS = 6, 8, 256, 128, 512, 9

WORDS_EDITED = {"an early word": 16, "a middle word": TOKENS // 2, "the last word": TOKENS - 1}  # and their rows

settings = Settings(
    width=WIDTH,
    heads=HEADS,
    layers=LAYERS,
    reads=WORDS,
    writes=WORDS,
    positions=LearnedPositions(TOKENS),
    norm=LayerNorm(),
    mlp=MLP(4 * WIDTH, "gelu_tanh"),
    biases=True,
)
arrays = random_parameters(settings, seed=1)
generator = np.random.default_rng(2)
ids, targets = generator.integers(0, WORDS, TOKENS), generator.integers(0, WORDS, TOKENS)


def flat_parameters() -> dict:
    """The same numbers as the yardstick wants them: heads side by side in one matrix."""
    p: dict = {n: {} for n in range(LAYERS)}
    for name, array in arrays.items():
        layer, _, role = name.partition(".")
        if role in ("W_Q", "W_K", "W_V"):
            array = array.transpose(1, 0, 2).reshape(WIDTH, WIDTH)
        elif role in ("W_O",):
            array = array.reshape(WIDTH, WIDTH)
        elif role in ("b_Q", "b_K", "b_V"):
            array = array.reshape(WIDTH)
        if layer.startswith("layer"):
            p[int(layer[5:])][role] = array
        else:
            p[name] = array
    return p


def glass_trace() -> Trace:
    do = Glass()
    parameters = do.parameters(checked(settings, arrays))
    every_next_word(do, transformer(do, ids, parameters, settings, causal(TOKENS)), parameters, targets)
    return Trace(tuple(do.steps))


def timed(run):
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def main() -> None:
    plain = flat_parameters()
    times: dict[str, list[float]] = {}

    def note(name: str, run):
        seconds, result = timed(run)
        times.setdefault(name, []).append(seconds)
        return result

    for _ in range(ROUNDS):
        loss, memory = note("plain forward", lambda: forward(plain, ids, targets, LAYERS, HEADS))
        gradients = note("plain backward", lambda: backward(plain, memory, LAYERS, HEADS))
        trace = note("glass forward", lambda: (lambda t: (t.array("loss"), t)[1])(glass_trace()))
        trace = note("glass backward", lambda: compute_parameters_gradients(trace))
        note("glass everything else", lambda: [s.value for s in trace.steps.values()])
        for layer in range(LAYERS):
            for word, row in WORDS_EDITED.items():
                cell = f"layer{layer}.weights[2,{row},7]"
                note(f"edit of {word}, layer {layer} → loss", lambda: edited(trace, cell))
        note(
            "arithmetic of 20 gradient cells",
            lambda: [trace.why(f"layer3.W_Q.grad[2,11,{d}]").text() for d in range(20)],
        )
    assert abs(float(trace.array("loss")) - loss) < 1e-9
    worst = largest_difference(trace, gradients)
    median = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, seconds in median.items():
        print(f"{name:36s} {1e3 * seconds:9.2f} ms")
    bytes_kept = sum(s.value.nbytes for s in trace.steps.values() if s.is_computed)
    both = median["glass forward"] + median["glass backward"]
    plain_both = median["plain forward"] + median["plain backward"]
    everything = both + median["glass everything else"]
    forward_only = median["glass forward"]
    print(f"\n{len(trace.forward)} forward and {len(trace.gradients)} backward steps, {bytes_kept / 1e6:.0f} MB")
    print(f"largest difference of a gradient from the yardstick's: {worst:.1e}")
    print(f"forward + backward / plain NumPy            {both / plain_both:.2f}   (goal ≤ 2)")
    print(f"the same with every side step computed too  {everything / plain_both:.2f}")
    everywhere = []
    for word in WORDS_EDITED:
        edits = [median[f"edit of {word}, layer {layer} → loss"] / forward_only for layer in range(LAYERS)]
        everywhere += edits
        print(f"edit of {word} → loss / forward, by layer {' '.join(f'{e:.2f}' for e in edits)}")
    print(f"edit → loss / forward, mean                 {statistics.mean(everywhere):.2f}   (goal ≤ 0.5)")
    cell = median["arithmetic of 20 gradient cells"] / 20
    print(f"arithmetic of a gradient cell / forward     {cell / forward_only:.4f}   (goal < 0.01)")


def edited(trace: Trace, cell: str) -> float:
    return float(trace.edit(cell, 0.5).array("loss"))


def compute_parameters_gradients(trace: Trace) -> Trace:
    trace = trace.backward()
    for name in trace.parameters:
        _ = trace.steps[f"{name}.grad"].value
    return trace


def largest_difference(trace: Trace, gradients: dict) -> float:
    worst, largest = 0.0, 0.0
    for name in trace.parameters:
        layer, _, role = name.partition(".")
        expected = gradients[int(layer[5:])][role] if layer.startswith("layer") else gradients[name]
        ours = trace.array(f"{name}.grad")
        if role in ("W_Q", "W_K", "W_V"):
            ours = ours.transpose(1, 0, 2)
        worst = max(worst, float(np.abs(ours.reshape(expected.shape) - expected).max()))
        largest = max(largest, float(np.abs(expected).max()))
    return worst / largest


if __name__ == "__main__":
    main()
