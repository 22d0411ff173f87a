/** Everything the screen says about a run, as numbers, in the words of Python's `Explanation.data()`. */
import { layerOf, withoutLayer } from "../trace/names";
import { rowOf } from "../trace/numbers";
import type { Trace } from "../trace/trace";
import { roles } from "./blame";
import { contributions, nameOf, restOf, type Component, type Contributions } from "./contributions";
import { findings } from "./findings";
import { importance, type Importance } from "./importance";

export interface Reading extends Importance {
  visible: boolean;
  score: number;
  scaled: number;
  biased: number | null;
  exp: number;
}

export interface Candidate {
  word: string;
  logit: number;
  probability: number;
}

export interface Learning {
  loss: number;
  loss_of_guessing: number;
  score_blame: number[] | null;
  roles: Record<string, number>;
  finite_difference_error: number | null;
  rate: number;
  next_loss: number;
  next_predicted: string;
  next_probabilities: Record<string, number>;
  next_weights: number[];
}

export interface Explanation {
  predicted: string;
  layer: string;
  head: number | null;
  readings: Reading[];
  total: number;
  context: number[];
  difference: { first: string; second: string; of_logits: number };
  components: { name: string; contribution: number }[];
  rest: number;
  held_fixed: string[];
  candidates: Candidate[];
  candidates_hidden?: number;
  learning: Learning | null;
  findings: string[];
}

const LEFT_OUT_ONE_BY_ONE = 64; // words up to which the run is repeated without each of them

/** Measure a run, as one head sees it: the one that moves the logits most, if nothing is said. */
export function explanation(trace: Trace, shown?: { layer: string; head: number }, rate?: number): Explanation {
  const [logits, probabilities] = [trace.array("logits").data, trace.array("probabilities").data];
  const words = trace.labels.along("V")!;
  const candidates = words.map((word, i) => ({ word, logit: logits[i]!, probability: probabilities[i]! }));
  const target = trace.has("target") ? words[trace.number("target")]! : null;
  const pair = contributions(trace, ...rivals(candidates, target));
  const component = (shown && componentOf(trace, pair, shown.layer, shown.head)) ?? leadingHead(trace, pair);
  const [layer, head, query] = [layerOf(component.step.name), component.head ?? 0, trace.number("query")];
  const rows = importance(trace, component, pair, trace.labels.along("K")!.length <= LEFT_OUT_ONE_BY_ONE);
  const learning = target === null ? null : learn(trace.backward(), layer, head, query, rate);
  return {
    predicted: trace.predicted,
    layer,
    head: component.head,
    readings: readings(trace, layer, head, query, rows),
    total: rowOf(trace.array(`${layer}.total`), [head])[query]!,
    context: [...rowOf(trace.array(`${layer}.context`), [head, query])],
    difference: { first: pair.first, second: pair.second, of_logits: pair.difference },
    components: pair.components.map((c) => ({ name: nameOf(c), contribution: c.contribution })),
    rest: restOf(pair),
    held_fixed: pair.heldFixed,
    candidates,
    learning,
    findings: findings(trace, rows, learning),
  };
}

/** The two words to compare: the target and the prediction, or the two most probable. */
function rivals(candidates: readonly Candidate[], target: string | null): [string, string] {
  const ranked = candidates.toSorted((a, b) => b.probability - a.probability);
  if (target === null) return [ranked[0]!.word, (ranked[1] ?? ranked[0]!).word];
  return [target, ranked.find((c) => c.word !== target)?.word ?? target];
}

/** The head whose contribution to the difference is largest; if none reaches the logits, the last layer's first. */
function leadingHead(trace: Trace, pair: Contributions): Component {
  const heads = pair.components.filter((c) => c.head !== null);
  if (heads.length)
    return heads.reduce((best, c) => (Math.abs(c.contribution) > Math.abs(best.contribution) ? c : best));
  const last = trace.forward.findLast((s) => layerOf(s.name) && ["context", "by_head"].includes(withoutLayer(s.name)))!;
  return { step: last, head: 0, contribution: 0, direction: new Float64Array(last.shape.at(-1)!) };
}

const componentOf = (trace: Trace, pair: Contributions, layer: string, head: number): Component | undefined => {
  const found = pair.components.find((c) => c.head === head && layerOf(c.step.name) === layer);
  const step = trace.steps.get(`${layer}.by_head`) ?? trace.steps.get(`${layer}.context`);
  return found ?? (step && { step, head, contribution: 0, direction: new Float64Array(step.shape.at(-1)!) });
};

function readings(trace: Trace, layer: string, head: number, query: number, rows: readonly Importance[]): Reading[] {
  const row = (name: string): Float64Array | null => {
    const step = trace.steps.get(`${layer}.${name}`);
    return step ? rowOf(step.value, [head, query]) : null;
  };
  const [scores, scaled, biased, exps] = [row("scores")!, row("scaled")!, row("biased"), row("exps")!];
  const visible = trace.step("visible");
  const seen = rowOf(visible.value, visible.axes.length === 3 ? [head, query] : [query]);
  return rows.map((found) => {
    const at = found.position;
    return {
      ...found,
      visible: seen[at] !== 0,
      score: scores[at]!,
      scaled: scaled[at]!,
      biased: biased?.[at] ?? null,
      exp: exps[at]!,
    };
  });
}

/** A power of ten, at most 0.1, at which the loss should fall by no more than half of itself.
 *
 * One update lowers the loss by about rate · gradient², as long as that is little.
 */
export function suitingRate(loss: number, gradient: number): number {
  const most = gradient ? (0.5 * loss) / gradient ** 2 : 0.1;
  return most > 0 && most < 0.1 ? 10 ** Math.floor(Math.log10(most)) : 0.1;
}

function learn(trace: Trace, layer: string, head: number, query: number, given?: number): Learning {
  const blamed = roles(trace);
  const rate = given ?? suitingRate(trace.number("loss"), Math.hypot(...Object.values(blamed)));
  const blame = trace.steps.get(`${layer}.masked.grad`);
  const after = trace.update(rate);
  const words = trace.labels.along("V")!;
  const next = after.array("probabilities").data;
  return {
    loss: trace.number("loss"),
    loss_of_guessing: Math.log(words.length),
    score_blame: blame ? [...rowOf(blame.value, [head, query])] : null,
    roles: blamed,
    finite_difference_error: null, // measured apart: it takes many runs
    rate,
    next_loss: after.number("loss"),
    next_predicted: after.predicted,
    next_probabilities: Object.fromEntries(words.map((word, i) => [word, next[i]!])),
    next_weights: [...rowOf(after.array(`${layer}.weights`), [head, query])],
  };
}
