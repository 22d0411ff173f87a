"""Every variant of the transformer against its definition, written one number at a time, in plain Python."""

import math
from dataclasses import replace

import numpy as np

from regard.attending.positions import DistanceBias, LearnedPositions, RotaryPositions, SinusoidalPositions
from regard.attending.stretching import ByWavelength
from regard.models.joining import Added
from regard.models.parts import MLP, GatedMLP, LayerNorm, NoMLP, NoNorm, Pooling, RMSNormAroundOne, Transform
from regard.models.roles import BiasedRoles, KeysAreValues, QueriesAreKeys


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def times(x, W):
    """x·W, with W a list of rows."""
    return [math.fsum(x[c] * W[c][d] for c in range(len(x))) for d in range(len(W[0]))]


def plus(*vectors):
    return [math.fsum(numbers) for numbers in zip(*vectors)]


def shares(scores):
    """Softmax of the scores that are not None; those get 0, and where all are None so do all."""
    powers = [0.0 if s is None else math.exp(s) for s in scores]
    whole = math.fsum(powers)
    return [p / whole if whole else 0.0 for p in powers]


def normed(norm, x, name, p):
    if isinstance(norm, NoNorm):
        return x
    if isinstance(norm, LayerNorm):
        mean = math.fsum(x) / len(x)
        x = [value - mean for value in x]
    deviation = math.sqrt(math.fsum(value**2 for value in x) / len(x) + norm.epsilon)
    gains = [1 + extra for extra in p[f"{name}.extra"]] if isinstance(norm, RMSNormAroundOne) else p[f"{name}.gain"]
    x = [value / deviation * gain for value, gain in zip(x, gains)]
    return plus(x, p[f"{name}.bias"]) if f"{name}.bias" in p else x


CURVES = {
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + math.exp(-x)),
    "relu": lambda x: max(x, 0.0),
    "tanh": math.tanh,
}


def stretched(stretch, frequency):
    """Llama 3: fast pairs as they are, slow ones slower by the factor, and those between mixed."""
    if not isinstance(stretch, ByWavelength):
        return frequency
    wavelength = 2 * math.pi / frequency
    if wavelength < stretch.trained / stretch.high:
        return frequency
    if wavelength > stretch.trained / stretch.low:
        return frequency / stretch.factor
    smooth = (stretch.trained / wavelength - stretch.low) / (stretch.high - stretch.low)
    return (1 - smooth) * frequency / stretch.factor + smooth * frequency


def turned(positions, vector, place):
    """Rotary: dimension i and i + half of what turns are one plane, turned by place · base^(−i/half)."""
    if not isinstance(positions, RotaryPositions):
        return vector
    half = (positions.turns or len(vector)) // 2
    result = list(vector)
    for i in range(half):
        angle = place * stretched(positions.stretch, positions.base ** (-i / half))
        result[i] = vector[i] * math.cos(angle) - vector[i + half] * math.sin(angle)
        result[i + half] = vector[i] * math.sin(angle) + vector[i + half] * math.cos(angle)
    return result


def attention(s, stream, p, position_table, visible):
    """What attention makes of each word's vector, and the weights by head, query and key."""
    H, G, D, T = s.heads, s.kv_heads, s.head_width, len(stream)
    wide = s.scaling_width or D
    divisor = {"root": math.sqrt(wide), "width": wide, "none": 1.0}[s.scaling]

    def projected(role, heads):
        if role == "K" and isinstance(s.roles, QueriesAreKeys):
            role = "Q"
        if role == "V" and isinstance(s.roles, KeysAreValues):
            role = "K"
        has_bias = s.biases or isinstance(s.roles, BiasedRoles)
        bias = p[f"b_{role}"] if has_bias else np.zeros((heads, D))
        return [[plus(times(x, p[f"W_{role}"][h]), bias[h]) for x in stream] for h in range(heads)]

    q, k, v = projected("Q", H), projected("K", G), projected("V", G)
    q, k = (
        [[normed(s.head_norm, vector, name, p) for vector in head] for head in heads]
        for heads, name in ((q, "q_norm"), (k, "k_norm"))
    )
    all_weights, contexts = [], []
    for h in range(H):
        group = h // (H // G)
        rows = []
        for i in range(T):
            scores = []
            for j in range(T):
                score = dot(turned(s.positions, q[h][i], i), turned(s.positions, k[group][j], j)) / divisor
                if s.cap is not None:
                    score = s.cap * math.tanh(score / s.cap)
                if isinstance(s.positions, DistanceBias):
                    score += position_table[h][min(abs(i - j), s.positions.reach - 1)]
                near = not s.window or abs(i - j) < s.window
                scores.append(score if visible[i][j] and near else None)
            rows.append(shares(scores))
        all_weights.append(rows)
        contexts.append(
            [[math.fsum(rows[i][j] * v[group][j][d] for j in range(T)) for d in range(D)] for i in range(T)]
        )
    if isinstance(s.joining, Added):
        out = [plus(*(contexts[h][i] for h in range(H))) for i in range(T)]
        out = [times(row, p["W_O"]) for row in out] if s.output_projection else out
        out = [plus(row, p["b_O"]) for row in out] if s.output_projection and s.biases else out
    elif s.output_projection:
        out = [plus(*(times(contexts[h][i], p["W_O"][h]) for h in range(H))) for i in range(T)]
        out = [plus(row, p["b_O"]) for row in out] if s.biases else out
    else:
        out = [[number for h in range(H) for number in contexts[h][i]] for i in range(T)]
    return out, all_weights


def thought(s, x, p):
    def up(name):
        y = times(x, p[f"W_{name}"])
        return plus(y, p[f"b_{name}"]) if s.biases else y

    curve = CURVES[s.mlp.curve]
    if isinstance(s.mlp, GatedMLP):
        hidden = [curve(gate) * value for gate, value in zip(up("gate"), up("up"))]
    else:
        assert isinstance(s.mlp, MLP)
        hidden = [curve(value) for value in up("up")]
    result = times(hidden, p["W_down"])
    return plus(result, p["b_down"]) if s.biases else result


def by_definition(s, arrays, ids, visible):
    """The vectors after the last block, and each layer's weights."""
    T = len(ids)
    stream = [[number * s.embedding_scale for number in arrays["E"][i]] for i in ids]
    if s.word_width:
        stream = [times(x, arrays["W_in"]) for x in stream]
    if s.segments:
        stream = [plus(stream[t], arrays["segment"][t % 2]) for t in range(T)]
    if isinstance(s.positions, LearnedPositions):
        stream = [plus(stream[t], arrays["position"][t + s.positions.offset]) for t in range(T)]
    if isinstance(s.positions, SinusoidalPositions):
        for t in range(T):
            for c in range(s.width):
                angle = t / 10_000 ** (2 * (c // 2) / s.width)
                stream[t][c] += math.sin(angle) if c % 2 == 0 else math.cos(angle)
    stream = [normed(s.embedding_norm, x, "norm0", arrays) for x in stream]
    weights = []
    for layer in range(s.layers):
        p = {name.removeprefix(f"layer{layer}."): a for name, a in arrays.items() if name.startswith(f"layer{layer}.")}
        own = s
        if s.looking:
            look = s.looking[layer]
            own = replace(s, window=look.window, positions=look.positions or s.positions, looking=())
        parts = [("norm1", lambda x, p=p, own=own: attention(own, x, p, arrays.get("position"), visible))]
        if not isinstance(s.mlp, NoMLP):
            parts.append(("norm2", lambda x, p=p: ([thought(s, row, p) for row in x], None)))
        if s.arrangement != "in turn" and len(parts) == 2:
            both = ("norm1", "norm1") if s.arrangement == "beside, one norm" else ("norm1", "norm2")
            outs = [inner([normed(s.norm, x, norm, p) for x in stream]) for norm, (_, inner) in zip(both, parts)]
            stream = [plus(x, *(out[t] for out, _ in outs)) for t, x in enumerate(stream)]
            weights.append(outs[0][1])
            continue
        for norm, inner in parts:
            before = s.norm_order != "after"
            out, seen = inner([normed(s.norm, x, norm, p) for x in stream] if before else stream)
            out = [normed(s.norm, x, f"{norm}_after", p) for x in out] if s.norm_order == "around" else out
            stream = [plus(x, y) for x, y in zip(stream, out)] if s.residual else out
            stream = stream if before else [normed(s.norm, x, norm, p) for x in stream]
            weights += [seen] if seen is not None else []
    if s.norm_order != "after":
        stream = [normed(s.norm, x, "norm", arrays) for x in stream]
    if isinstance(s.transform, Transform):
        turned = [plus(times(x, arrays["W_transform"]), arrays["b_transform"]) for x in stream]
        bent = [[CURVES["gelu"](value) for value in x] for x in turned]
        stream = [normed(LayerNorm(s.transform.epsilon), x, "transform_norm", arrays) for x in bent]
    if isinstance(s.transform, Pooling):
        stream = [plus(times(x, arrays["W_transform"]), arrays["b_transform"]) for x in stream]
        stream = [[CURVES["tanh"](value) for value in x] for x in stream]
    if s.word_width:
        stream = [times(x, arrays["W_back"]) for x in stream]
    return stream, weights


def assert_agrees(variant, trace, arrays) -> None:
    settings, ids, visible = variant.settings(), trace.info["ids"], trace.info["visible"]
    stream, weights = by_definition(settings, arrays, ids, visible)
    for layer, rows in enumerate(weights):
        np.testing.assert_allclose(trace.array(f"layer{layer}.weights"), rows, rtol=0, atol=1e-13)
    position = max(len(ids) - 3, 0)
    words = arrays["E"] if settings.tied else arrays["W_out"]
    bias = arrays.get("b_out", np.zeros(settings.writes))
    logits = [[dot(x, word) + b for word, b in zip(words, bias)] for x in stream]
    if settings.logit_cap is not None:
        logits = [[settings.logit_cap * math.tanh(logit / settings.logit_cap) for logit in row] for row in logits]
    probabilities = [shares(row) for row in logits]
    surprise = [-math.log(row[(5 * i + 2) % settings.writes]) for row, i in zip(probabilities, ids)]
    if variant["task"] == "every":
        np.testing.assert_allclose(trace.array("probabilities"), probabilities, rtol=1e-12)
        np.testing.assert_allclose(trace.array("loss"), math.fsum(surprise) / len(surprise), rtol=1e-12)
    elif variant["task"] == "places":
        places = [max(len(ids) - 2, 0), 0]
        np.testing.assert_allclose(trace.array("probabilities"), [probabilities[i] for i in places], rtol=1e-12)
        np.testing.assert_allclose(trace.array("loss"), sum(surprise[i] for i in places) / 2, rtol=1e-12)
    else:
        np.testing.assert_allclose(trace.array("read"), stream[position], rtol=0, atol=1e-12)
        np.testing.assert_allclose(trace.array("probabilities"), probabilities[position], rtol=1e-12)
        np.testing.assert_allclose(trace.array("loss"), surprise[position], rtol=1e-12)


def test_every_pair_of_variants_is_what_the_definition_says(variant, trace_of, arrays_of):
    arrays = arrays_of(variant)
    assert_agrees(variant, trace_of(variant, tokens=7, arrays=arrays), arrays)


def test_one_token_is_what_the_definition_says(variant, trace_of, arrays_of):
    arrays = arrays_of(variant, 2)
    visible = np.ones((1, 1), dtype=bool)
    trace = trace_of(variant, arrays=arrays, ids=[4], visible=visible)
    assert_agrees(variant, trace, arrays)
    assert np.array_equal(trace.array("layer0.weights"), np.ones((trace.step("layer0.weights").shape[0], 1, 1)))
    trace = trace.backward()
    assert all(np.isfinite(trace.array(f"{name}.grad")).all() for name in trace.parameters)
    # one word that reads only itself: nothing depends on the scores
    assert np.abs(trace.array("layer0.scores.grad")).max() < 1e-15


def test_far_scores_do_not_overflow(plain_variant, trace_of, arrays_of):
    arrays = arrays_of(plain_variant)
    arrays["layer0.W_Q"] = arrays["layer0.W_Q"] * 3000
    trace = trace_of(plain_variant, arrays=arrays, tokens=7).backward()
    scores = trace.array("masked")
    assert np.abs(scores[np.isfinite(scores)]).max() > 300
    for h, i in np.ndindex(3, 7):
        row = scores[h, i] - scores[h, i].max()
        np.testing.assert_allclose(
            trace.array("weights")[h, i], np.exp(row) / np.exp(row).sum(), rtol=1e-9, atol=1e-300
        )
    assert all(np.isfinite(trace.array(f"{name}.grad")).all() for name in trace.parameters)
