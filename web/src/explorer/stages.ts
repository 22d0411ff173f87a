/** The twelve stages: the same numbers and names in the terminal, the page, the notebook and the file. */

export interface Stage {
  number: number;
  name: string;
  says: string;
  formula: { rows: string; columns: string }; // x·W, and W·x
  shapes: string;
  code: string;
  shows: string[]; // steps whose arithmetic stands for the stage, for the row on screen
}

/** The same whichever way products are written. */
const BLAME = [
  "\\frac{\\partial L}{\\partial z} = p - \\text{target}",
  "\\frac{\\partial L}{\\partial \\tilde s_{ij}} = \\alpha_{ij}\\Big(g_{ij} - \\sum_k \\alpha_{ik}\\, g_{ik}\\Big)",
  "\\frac{\\partial L}{\\partial s_{ij}} = \\frac{1}{\\sqrt{d}}\\,\\frac{\\partial L}{\\partial \\tilde s_{ij}}",
].join(" \\qquad ");

export const STAGES: readonly Stage[] = [
  {
    number: 1,
    name: "Embed",
    says: "Every word is looked up in a table and becomes a list of numbers: its vector.",
    formula: { rows: "x_t = E[\\text{word}_t]", columns: "x_t = E[\\text{word}_t]^{\\top}" },
    shapes: "E: words × width,  x: tokens × width",
    code: "x = E[tokens]",
    shows: ["x"],
  },
  {
    number: 2,
    name: "Q·K·V",
    says:
      "Three learned matrices make three vectors of each word: what it asks for (q), how it can be found (k), " +
      "what it says (v).",
    formula: {
      rows: "q = x\\,W_Q \\qquad k = x\\,W_K \\qquad v = x\\,W_V",
      columns: "q = W_Q\\,x \\qquad k = W_K\\,x \\qquad v = W_V\\,x",
    },
    shapes: "W: width × head width,  q, k, v: tokens × head width",
    code: "q, k, v = x @ W_Q, x @ W_K, x @ W_V",
    shows: ["q", "k", "v"],
  },
  {
    number: 3,
    name: "Score",
    says: "A word's query is multiplied with every key: the dot product is large where they point the same way.",
    formula: {
      rows: "s_{ij} = q_i \\cdot k_j \\qquad S = Q K^{\\top}",
      columns: "s_{ij} = q_i \\cdot k_j \\qquad S = K^{\\top} Q",
    },
    shapes: "scores: queries × keys",
    code: "scores = q @ k.T",
    shows: ["scores"],
  },
  {
    number: 4,
    name: "Scale",
    says:
      "Scores grow with the width of the vectors; divided by its root they keep the same size, and softmax " +
      "does not harden.",
    formula: {
      rows: "\\tilde s_{ij} = \\dfrac{s_{ij}}{\\sqrt{d}}",
      columns: "\\tilde s_{ij} = \\dfrac{s_{ij}}{\\sqrt{d}}",
    },
    shapes: "d: head width",
    code: "scaled = scores / np.sqrt(d)",
    shows: ["scaled", "biased"],
  },
  {
    number: 5,
    name: "Weights",
    says: "Hidden words are left out; the rest become shares of one whole: e to the score, over the sum of the row.",
    formula: {
      rows: "\\alpha_{ij} = \\dfrac{e^{\\tilde s_{ij}}}{\\sum_{k} e^{\\tilde s_{ik}}}",
      columns: "\\alpha_{ij} = \\dfrac{e^{\\tilde s_{ij}}}{\\sum_{k} e^{\\tilde s_{ik}}}",
    },
    shapes: "weights: queries × keys, every row sums to 1",
    code: "exps = np.where(visible, np.exp(scaled), 0)\nweights = exps / exps.sum(-1, keepdims=True)",
    shows: ["weights", "exps", "total"],
  },
  {
    number: 6,
    name: "Mix",
    says: "The values of all words are added up, each by its weight: the word's vector in this sentence, its context.",
    formula: {
      rows: "c_i = \\sum_j \\alpha_{ij}\\, v_j \\qquad C = A\\,V",
      columns: "c_i = \\sum_j \\alpha_{ij}\\, v_j \\qquad C = V A^{\\top}",
    },
    shapes: "context: queries × head width",
    code: "context = weights @ v",
    shows: ["context"],
  },
  {
    number: 7,
    name: "Heads",
    says: "Several heads read at once; laid side by side and multiplied with W_O, each adds its own vector to the sum.",
    formula: {
      rows: "\\text{attended} = [c^1 \\dots c^H]\\,W_O = \\sum_h c^h\\, W_O^h",
      columns: "\\text{attended} = W_O\\,[c^1; \\dots; c^H] = \\sum_h W_O^h\\, c^h",
    },
    shapes: "W_O: heads × head width × width",
    code: "by_head = np.einsum('hqd,hdc->hqc', context, W_O)\nattended = by_head.sum(0)",
    shows: ["by_head", "attended"],
  },
  {
    number: 8,
    name: "Logits",
    says: "The result is compared with a row for every word that could follow: one dot product each.",
    formula: { rows: "z_w = c \\cdot W_{out}[w] \\qquad z = c\\,W_{out}^{\\top}", columns: "z = W_{out}\\, c" },
    shapes: "W_out: words × width,  logits: words",
    code: "logits = read @ W_out.T",
    shows: ["logits"],
  },
  {
    number: 9,
    name: "Predict",
    says: "Softmax once more: the logits become probabilities, and the largest is the prediction.",
    formula: { rows: "p_w = \\dfrac{e^{z_w}}{\\sum_u e^{z_u}}", columns: "p_w = \\dfrac{e^{z_w}}{\\sum_u e^{z_u}}" },
    shapes: "probabilities: words, they sum to 1",
    code: "p = np.exp(logits) / np.exp(logits).sum()\npredicted = words[p.argmax()]",
    shows: ["probabilities"],
  },
  {
    number: 10,
    name: "Loss",
    says: "How surprised the model is by the word that should follow: minus the logarithm of its probability.",
    formula: { rows: "L = -\\ln p_{\\text{target}}", columns: "L = -\\ln p_{\\text{target}}" },
    shapes: "one number; guessing among n words costs ln n",
    code: "loss = -np.log(p[target])",
    shows: ["loss"],
  },
  {
    number: 11,
    name: "Blame",
    says:
      "Backwards through every step: how the loss would change if a number grew. " +
      "Attention's share is weight × (its blame − the average).",
    formula: { rows: BLAME, columns: BLAME },
    shapes: "every gradient has the shape of what it blames",
    code: [
      "d_logits = p - target",
      "d_context = d_logits @ W_out",
      "d_v, d_weights = weights.T @ d_context, d_context @ v.T",
      "d_scaled = weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True))",
      "d_scores = d_scaled / np.sqrt(d)",
      "d_q, d_k = d_scores @ k, d_scores.T @ q",
      "d_W_Q, d_W_K, d_W_V = x.T @ d_q, x.T @ d_k, x.T @ d_v",
    ].join("\n"),
    shows: ["logits", "context", "v", "weights", "masked", "scores", "q", "W_V", "W_Q"].map((name) => `${name}.grad`),
  },
  {
    number: 12,
    name: "Update",
    says:
      "Every learned number takes a small step against its blame. " +
      "Attention weights are not among them: they are computed anew each time.",
    formula: {
      rows: "W \\leftarrow W - \\eta\\,\\frac{\\partial L}{\\partial W}",
      columns: "W \\leftarrow W - \\eta\\,\\frac{\\partial L}{\\partial W}",
    },
    shapes: "η: the rate",
    code: "W -= rate * d_W",
    shows: [],
  },
];
