/** How far a run is that is being computed: so many of its steps are there, and this one is next. */
export interface Progress {
  done: number;
  of: number;
  step: string;
}

const STAGES: readonly [RegExp, string][] = [
  [/^(q|k|v|W_[QKV]|rotated.*)$/, "2 Q·K·V"],
  [/^scores$/, "3 Score"],
  [/^(scaled|biased|bias)$/, "4 Scale"],
  [/^(masked|peak|shifted|exps|total|weights)$/, "5 Weights"],
  [/^context$/, "6 Mix"],
  [/^(by_head|concat|attended|W_O)$/, "7 Heads"],
  [/^logits$/, "8 Logits"],
  [/^probabilities$/, "9 Predict"],
  [/^loss$/, "10 Loss"],
];

/** Where it is, in words: "layer 3, 5 Weights". */
export function whereIn({ step }: Progress): string {
  const [, layer, name] = /^(?:layer(\d+)\.)?(.*)$/.exec(step)!;
  const head = name!.split(".")[0]!;
  const part = STAGES.find(([is]) => is.test(head))?.[1] ?? (head.includes("mlp") || head === "hidden" ? "MLP" : null);
  return [layer === undefined ? null : `layer ${layer}`, part].filter(Boolean).join(", ");
}
