/** The next-word candidates after every layer, ranked, as Python's lens/logit_lens.py tells them. */
import { streams } from "../measure/streams";
import { Contract } from "../trace/contract";
import { unedited } from "../trace/edits";
import { FormulaMap } from "../trace/map";
import { rowOf } from "../trace/numbers";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

interface Ranked {
  word: string;
  probability: number;
  rank: number; // 1 is the most probable
  cell: string;
}

export interface Layer {
  name: string;
  candidates: Ranked[];
  predicted: Ranked; // in the end
  target: Ranked | null;
}

/** The probabilities of the next word after each height of the stream. */
function says(trace: Trace): [string, Step][] {
  const made = trace.measure("says");
  const heights = streams(trace).map(([name]) => name);
  const found = heights.slice(0, -1).flatMap((name): [string, Step][] => {
    const step = made.get(`${name}.says.probabilities`);
    return step ? [[name, step]] : [];
  });
  return [...found, [heights.at(-1) ?? "", trace.step("probabilities")]];
}

export function logitLens(trace: Trace, top: number): Layer[] {
  const words = trace.labels.along("V")!;
  const predicted = words.indexOf(trace.predicted);
  const target = trace.has("target") ? trace.number("target") : null;
  return says(trace).map(([name, step]) => {
    const { data } = step.value;
    const order = Array.from(data.keys()).sort((a, b) => data[b]! - data[a]! || a - b);
    const ranks = new Int32Array(order.length);
    order.forEach((number, i) => (ranks[number] = i + 1));
    const ranked = (number: number): Ranked => ({
      word: words[number]!,
      probability: data[number]!,
      rank: ranks[number]!,
      cell: `${step.name}[${number}]`,
    });
    return {
      name,
      candidates: order.slice(0, top).map(ranked),
      predicted: ranked(predicted),
      target: target === null ? null : ranked(target),
    };
  });
}

interface Place {
  word: string;
  probability: number;
  rank: number;
}

/** Layers × positions: when does each position know its next word? */
export function everyPosition(trace: Trace): { name: string; places: Place[] }[] {
  const found = everyLogits(trace);
  const final = rowsOf(found.at(-1)![1]).map(largest);
  const words = trace.labels.along("V")!;
  return found.map(([name, step]) => ({
    name,
    places: rowsOf(step).map((logits, position) => {
      const best = largest(logits);
      const whole = logits.reduce((sum, logit) => sum + Math.exp(logit - logits[best]!), 0);
      const own = logits[final[position]!]!;
      const rank = 1 + logits.reduce((above, logit) => above + (logit > own ? 1 : 0), 0);
      return { word: words[best]!, probability: 1 / whole, rank };
    }),
  }));
}

const rowsOf = (step: Step): Float64Array[] =>
  Array.from({ length: step.shape[0]! }, (_, row) => rowOf(step.value, [row]));

const largest = (row: Float64Array): number => row.reduce((best, value, i) => (value > row[best]! ? i : best), 0);

/** The logits of every position after each height, with the vocabulary and bias of the one that predicts. */
function everyLogits(trace: Trace): [string, Step][] {
  const heights = streams(trace);
  const [last, stream] = heights.at(-1)!;
  const [read, logits] = [unedited(trace.step("read")), unedited(trace.step("logits"))];
  if (!read.inputs.length || !logits.inputs.length)
    throw new Error("the logits, or what they are read from, were replaced; undo that to look at every position");
  const made = trace.measure("says");
  const below = heights
    .slice(0, -1)
    .filter(([, step]) => String(step.shape) === String(stream.shape))
    .map(([name]): [string, Step] => {
      const of = (step: Step): Step => made.get(`${name}.says.${step.name}`)!;
      return [name, atEvery(of(read), of(logits), `${name}.says.`)];
    });
  return [...below, [last, atEvery(read, logits, "")]];
}

function atEvery(read: Step, logits: Step, prefix: string): Step {
  if (logits.op instanceof FormulaMap && logits.op.formula === "cap") {
    const open = atEvery(read, unedited(logits.inputs[0]!), `${prefix}uncapped.`);
    return new Step(`${prefix}every.capped`, new FormulaMap("cap", "TV->TV", logits.op.constants), [open]);
  }
  const [product, ...bias] = logits.op instanceof Contract ? [logits] : logits.inputs;
  const made = new Step(`${prefix}every.product`, new Contract("TC,VC->TV"), [read.inputs[0]!, product!.inputs[1]!]);
  return bias.length ? new Step(`${prefix}every.logits`, new FormulaMap("add", "TV,V->TV"), [made, ...bias]) : made;
}
