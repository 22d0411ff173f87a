/** The parts of a model in their place, read off a run: what is there, what each adds, and what is absent. */
import type { Explanation } from "../measure/explanation";
import type { Run } from "../run/run";

/** What a part adds to the difference of two logits, and where that number stands. */
export interface Added {
  value: number;
  cell: string;
}

export interface Head {
  head: number;
  pattern: ArrayLike<number>;
  side: number;
  added: Added | null;
}

/** A part that stands between others: the step that it makes; null where the model has none. */
export interface Layer {
  number: number;
  name: string;
  norm1: string | null;
  heads: Head[];
  joined: string | null; // W_O
  plus1: string | null; // the stream after attention
  norm2: string | null;
  mlp: { step: string; added: Added | null } | null;
  plus2: string | null;
}

export interface Parts {
  words: { name: string; added: Added | null }[]; // embedding, position, segment
  layers: Layer[];
  norm: string | null; // before words are compared
  others: { name: string; added: Added }[]; // biases
  rest: Added | null;
}

const WORDS = ["embedding", "position", "segment"];

export function partsOf(run: Run, found: Explanation | null): Parts {
  const names = [...run.steps.keys()];
  const added = new Map<string, Added>();
  for (const { name, contribution, cell } of found?.components ?? [])
    if (cell) added.set(name, { value: contribution, cell });
  const absent = [...(run.leftOut ?? [])]; // from the file, not from the model
  const last = (pattern: RegExp): string | null => {
    const isSuch = (name: string): boolean => pattern.test(name);
    return names.findLast(isSuch) ?? absent.findLast(isSuch) ?? null;
  };
  const normOf = (part: string): string | null => last(new RegExp(`^${part}\\.(stretched|moved|normed)$`));
  const there = (name: string): string | null => (run.steps.has(name) || run.leftOut?.has(name) ? name : null);
  const numbers = [...new Set(names.flatMap((name) => /^layer(\d+)\.(?:weights|context)$/.exec(name)?.[1] ?? []))].map(
    Number,
  );
  const layers = numbers.map((number): Layer => {
    const layer = `layer${number}`;
    const mlp = there(`${layer}.mlp`);
    return {
      ...{ number, name: layer, norm1: normOf(`${layer}\\.norm1`), norm2: normOf(`${layer}\\.norm2`) },
      heads: headsOf(run, number, added),
      joined: there(`${layer}.W_O`),
      plus1: there(`${layer}.middle`) ?? (mlp ? null : there(`${layer}.residual`)),
      mlp: mlp ? { step: mlp, added: added.get(mlp) ?? null } : null,
      plus2: mlp ? there(`${layer}.residual`) : null,
    };
  });
  const known = new Set([
    ...WORDS,
    ...layers.flatMap((one) => [one.mlp?.step ?? "", ...one.heads.map(({ head }) => `${one.name}.head${head}`)]),
  ]);
  return {
    words: WORDS.filter((name) => added.has(name)).map((name) => ({ name, added: added.get(name)! })),
    layers,
    norm: normOf("(?:norm|transform_norm)"),
    others: [...added].filter(([name]) => !known.has(name)).map(([name, one]) => ({ name, added: one })),
    rest: null,
  };
}

function headsOf(run: Run, layer: number, added: ReadonlyMap<string, Added>): Head[] {
  const told = (head: number): Added | null => added.get(`layer${layer}.head${head}`) ?? null;
  const { overview } = run;
  if (overview)
    return overview.by_head
      .filter((one) => one.layer === layer)
      .map(({ head, pattern }) => ({ head, pattern, side: overview.cells, added: told(head) }));
  const weights = run.read(`layer${layer}.weights`);
  if (!weights) return [];
  const [heads, queries, keys] = weights.shape as [number, number, number];
  return Array.from({ length: heads }, (_, head) => ({
    head,
    pattern: weights.data.slice(head * queries * keys, (head + 1) * queries * keys),
    side: keys,
    added: told(head),
  }));
}
