"""A pre-norm transformer forward and backward in plain vectorised NumPy, gradients by closed forms: the yardstick.

Written the way one writes it for speed alone: nothing has a name outside its function, only what the backward pass
needs is kept, the softmax and the norms use their closed-form gradients.
"""

import math

import numpy as np


def layer_norm(x, gain, bias, epsilon):
    centered = x - x.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt((centered * centered).mean(-1, keepdims=True) + epsilon)
    normed = centered * inverse
    return normed * gain + bias, (normed, inverse, gain)


def layer_norm_backward(g, kept):
    normed, inverse, gain = kept
    d = g * gain
    dx = inverse * (d - d.mean(-1, keepdims=True) - normed * (d * normed).mean(-1, keepdims=True))
    return dx, (g * normed).sum(0), g.sum(0)


def gelu(x):
    bend = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))
    return 0.5 * x * (1 + bend), bend


def gelu_backward(g, x, bend):
    slope = 0.5 * (1 + bend) + 0.5 * x * (1 - bend * bend) * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x * x)
    return g * slope


def split(x, heads):
    tokens, width = x.shape
    return x.reshape(tokens, heads, width // heads).transpose(1, 0, 2)


def merge(x):
    heads, tokens, head_width = x.shape
    return x.transpose(1, 0, 2).reshape(tokens, heads * head_width)


def forward(p, ids, targets, layers, heads, epsilon=1e-5):
    """The loss and everything the backward pass will need. Matrices are flat: W_Q is (width, width)."""
    tokens = len(ids)
    hidden_cells = np.triu(np.ones((tokens, tokens), dtype=bool), 1)
    x = p["E"][ids] + p["position"][:tokens]
    kept = []
    for n in range(layers):
        w = p[n]
        a, norm1 = layer_norm(x, w["norm1.gain"], w["norm1.bias"], epsilon)
        q, k, v = (split(a @ w[f"W_{r}"] + w[f"b_{r}"], heads) for r in "QKV")
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores[:, hidden_cells] = -np.inf
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        joined = merge(scores @ v)
        x = x + joined @ w["W_O"] + w["b_O"]
        b, norm2 = layer_norm(x, w["norm2.gain"], w["norm2.bias"], epsilon)
        hidden = b @ w["W_up"] + w["b_up"]
        activated, bend = gelu(hidden)
        x = x + activated @ w["W_down"] + w["b_down"]
        kept.append((a, norm1, q, k, v, scores, joined, b, norm2, hidden, activated, bend))
    final, norm = layer_norm(x, p["norm.gain"], p["norm.bias"], epsilon)
    logits = final @ p["W_out"].T
    logits -= logits.max(-1, keepdims=True)
    probabilities = np.exp(logits)
    probabilities /= probabilities.sum(-1, keepdims=True)
    loss = -np.log(probabilities[np.arange(tokens), targets]).mean()
    return loss, (ids, targets, kept, final, norm, probabilities)


def backward(p, memory, layers, heads):
    ids, targets, kept, final, norm, probabilities = memory
    tokens = len(ids)
    g = {n: {} for n in range(layers)}
    d = probabilities.copy()
    d[np.arange(tokens), targets] -= 1
    d /= tokens
    g["W_out"] = d.T @ final
    dx, g["norm.gain"], g["norm.bias"] = layer_norm_backward(d @ p["W_out"], norm)
    for n in reversed(range(layers)):
        w, gn = p[n], g[n]
        a, norm1, q, k, v, weights, joined, b, norm2, hidden, activated, bend = kept[n]
        gn["W_down"], gn["b_down"] = activated.T @ dx, dx.sum(0)
        dh = gelu_backward(dx @ w["W_down"].T, hidden, bend)
        gn["W_up"], gn["b_up"] = b.T @ dh, dh.sum(0)
        db, gn["norm2.gain"], gn["norm2.bias"] = layer_norm_backward(dh @ w["W_up"].T, norm2)
        dx = dx + db
        gn["W_O"], gn["b_O"] = joined.T @ dx, dx.sum(0)
        dcontext = split(dx @ w["W_O"].T, heads)
        dweights = dcontext @ v.transpose(0, 2, 1)
        dv = weights.transpose(0, 2, 1) @ dcontext
        dscores = weights * (dweights - (weights * dweights).sum(-1, keepdims=True)) / math.sqrt(q.shape[-1])
        dq, dk = dscores @ k, dscores.transpose(0, 2, 1) @ q
        da = 0.0
        for role, grad in (("Q", dq), ("K", dk), ("V", dv)):
            flat = merge(grad)
            gn[f"W_{role}"], gn[f"b_{role}"] = a.T @ flat, flat.sum(0)
            da = da + flat @ w[f"W_{role}"].T
        dx1, gn["norm1.gain"], gn["norm1.bias"] = layer_norm_backward(da, norm1)
        dx = dx + dx1
    g["position"] = np.zeros_like(p["position"])
    g["position"][:tokens] = dx
    g["E"] = np.zeros_like(p["E"])
    np.add.at(g["E"], ids, dx)
    return g
