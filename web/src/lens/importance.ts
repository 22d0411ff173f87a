/** Four answers to "which word mattered?": its weight, the size of what it sent, what that did to the logits,
 * and what happens without it. They often disagree; that is the point of showing all four. */
import { layerOf } from "../trace/names";
import { rowOf } from "../trace/numbers";
import { Replace } from "../trace/replace";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { dot, type Component, type Contributions } from "./contributions";

/** One word as one head's query sees it. `without` is the prediction when nobody may read the word. */
export interface Importance {
  position: number;
  word: string;
  weight: number;
  sent_size: number;
  contribution: number;
  without: string | null;
  without_difference: number | null;
}

export function importance(trace: Trace, component: Component, pair: Contributions, leaveOut: boolean): Importance[] {
  const layer = layerOf(component.step.name);
  const head = component.head ?? 0;
  const weights = rowOf(trace.array(`${layer}.weights`), [head, trace.number("query")]);
  const values = asHeadsSee(trace, layer, "v");
  const readAlong = throughOutput(component, values.shape.at(-1)!);
  return Array.from(weights, (weight, position) => {
    const sent = rowOf(values.value, [head, position]).map((value) => value * weight);
    const gone = leaveOut ? without(trace, position) : null;
    return {
      position,
      word: trace.labels.shown("K", position),
      weight,
      sent_size: Math.hypot(...sent),
      contribution: dot(sent, readAlong),
      without: gone?.predicted ?? null,
      without_difference: gone ? logitDifference(gone, pair.first, pair.second) : null,
    };
  });
}

/** The same run when nobody may read one word; the other weights take its share.
 *
 * A word still reads itself, so that its own row is not left empty, except at the position that predicts.
 */
export function without(trace: Trace, position: number): Trace {
  const { data, shape } = trace.array("visible");
  const [queries, keys] = shape.slice(-2) as [number, number];
  const isPredicting = position === trace.number("query");
  const visible = data.map((may, cell) => {
    const key = cell % keys;
    const query = Math.floor(cell / keys) % queries;
    return key === position && (query !== position || isPredicting) ? 0 : may;
  });
  return trace.pin("visible", visible);
}

export function logitDifference(trace: Trace, first: string, second: string): number {
  const words = trace.labels.along("V")!;
  const { data, shape } = trace.array("logits");
  const row = data.subarray(-shape.at(-1)!);
  return row[words.indexOf(first)]! - row[words.indexOf(second)]!;
}

/** k or v, one for each query head: repeated where key/value heads are shared; where keys are values, v is k. */
export function asHeadsSee(trace: Trace, layer: string, name: string): Step {
  return trace.steps.get(`${layer}.${name}.shared`) ?? trace.steps.get(`${layer}.${name}`) ?? trace.step(`${layer}.k`);
}

/** The direction of the logits, seen from the head's own space: back through W_O. */
function throughOutput({ step, head, direction }: Component, headWidth: number): Float64Array {
  let made = step;
  while (made.op instanceof Replace) made = made.inputs[0]!;
  if (!made.inputs.length) return new Float64Array(headWidth); // pinned: no word has a part in it
  if (made.axes !== "HQC") return direction;
  const W_O = made.inputs[1]!.value;
  const lead = W_O.shape.length === 2 ? [] : [head ?? 0]; // added heads share one W_O
  return Float64Array.from({ length: headWidth }, (_, d) => dot(rowOf(W_O, [...lead, d]), direction));
}
