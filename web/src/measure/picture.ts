/** A flow as it is drawn, as Python's lens/picture.py tells it: what every word carries at every height, and the pairs
 * of words between which most is carried. */
import { FLOW } from "../trace/holding";
import { layerOf } from "../trace/names";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { compared } from "./margin";
import { streams } from "./streams";
import { largest } from "./together";

/** The numbers of a step, one for each word. */
export interface PerWord {
  step: string;
  values: number[];
}

/** The strongest pairs of a layer, (to, from, what is carried), and the size of all of them. */
export interface Pairs {
  step: string;
  size: number;
  sum: number;
  top: [to: number, from: number, flow: number][];
}

export interface FlowPicture {
  first: string;
  second: string;
  margin: number;
  held: string;
  words: PerWord;
  biases: { step: string; values: number } | null;
  edits: { step: string; values: number } | null;
  heights: (PerWord | null)[]; // before the first layer, and after each
  layers: { name: string; kept: PerWord | null; pairs: Pairs | null }[];
}

const PAIRS = 400; // of a layer

export function flowPicture(trace: Trace): FlowPicture {
  const steps = trace.measure("flow");
  const perWord = (name: string): PerWord | null => {
    const step = steps.get(name);
    return step ? { step: name, values: [...step.value.data] } : null;
  };
  const inAll = (name: string): FlowPicture["biases"] => {
    const step = steps.get(name);
    return step ? { step: name, values: step.value.data[0]! } : null;
  };
  const heights = streams(trace).map(([, step]) => step.name);
  const [first, second] = compared(trace);
  return {
    first,
    second,
    margin: trace.number("margin"),
    held: FLOW.says,
    words: perWord("flow.words")!,
    biases: inAll("flow.biases"),
    edits: inAll("flow.edits"),
    heights: heights.map((name) => perWord(`${name}.flow`)),
    layers: heights.slice(1).map((name) => {
      const layer = layerOf(name);
      return { name: layer, kept: perWord(`${layer}.flow.kept`), pairs: pairsOf(steps.get(`${layer}.flow.pairs`)) };
    }),
  };
}

function pairsOf(step: Step | undefined): Pairs | null {
  if (!step) return null;
  const { data } = step.value;
  const sizes = data.map(Math.abs);
  const columns = step.shape[1]!;
  const top = largest(sizes, PAIRS)
    .filter((place) => data[place] !== 0)
    .map((place): Pairs["top"][number] => [Math.floor(place / columns), place % columns, data[place]!]);
  const summed = (numbers: Float64Array): number => numbers.reduce((sum, one) => sum + one, 0);
  return { step: step.name, size: summed(sizes), sum: summed(Float64Array.from(data)), top };
}
