/** What each part of a model adds to the difference of two logits.
 *
 * The stream is a sum, so its dot product with a direction is a sum too. The walk goes back from the logits through
 * additions, and through norms with their scale held fixed at the value it had (and, where a transform stands before
 * the vocabulary, through its curve with the share it lets through held fixed): then every step on the way is linear,
 * and all components together with the rest give the difference exactly.
 */
import { Contract } from "../trace/contract";
import { FormulaMap } from "../trace/map";
import { layerOf } from "../trace/names";
import { rowOf } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Replace } from "../trace/replace";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

const PLAIN_NAMES: Readonly<Record<string, string>> = {
  x: "embedding",
  placed: "position",
  waves: "position",
  "segment.placed": "segment",
};
const CURVES = ["gelu", "gelu_tanh", "silu"];
type Vector = Float64Array;

/** One part of the stream at the predicting position, and the direction along which it is read. */
export interface Component {
  step: Step;
  head: number | null;
  contribution: number;
  direction: Vector;
}

export interface Contributions {
  first: string;
  second: string;
  difference: number;
  components: Component[];
  heldFixed: string[]; // the deviations of norms that the walk went through
}

export const dot = (a: Vector, b: Vector): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** What no component explains: biases of the vocabulary, and edits of the logits themselves. */
export const restOf = (pair: Contributions): number =>
  pair.difference - pair.components.reduce((sum, component) => sum + component.contribution, 0);

export function nameOf({ step, head }: Component): string {
  if (head !== null) return `${layerOf(step.name)}.head${head}`;
  if (step.op instanceof Replace) return `edit of ${step.name}`;
  return PLAIN_NAMES[step.name] ?? step.name.replace(/\.product$/, "");
}

/** Components of logit(first) − logit(second) at the position that predicts. */
export function contributions(trace: Trace, first: string, second: string): Contributions {
  const logits = trace.step("logits");
  const words = trace.labels.along("V")!;
  const [a, b] = [words.indexOf(first), words.indexOf(second)];
  const row = logits.value.data.subarray(-logits.shape.at(-1)!);
  const heldFixed: string[] = [];
  const product = productOf(logits);
  const components = product
    ? [...walk(product.inputs[0]!, between(product.inputs[1]!, a, b), trace.number("query"), heldFixed)]
    : [];
  return { first, second, difference: row[a]! - row[b]!, components, heldFixed };
}

const between = (words: Step, a: number, b: number): Vector => {
  const other = rowOf(words.value, [b]);
  return rowOf(words.value, [a]).map((value, i) => value - other[i]!);
};

/** The step that multiplies by the vocabulary, behind a bias or an edit; null if the logits were pinned. */
function productOf(logits: Step): Step | null {
  let step: Step | undefined = logits;
  while (step && !(step.op instanceof Contract && step.inputs.length === 2)) step = step.inputs[0];
  return step ?? null;
}

/** Back from a vector at one position to the parts that it is the sum of. */
function* walk(step: Step, direction: Vector, position: number, heldFixed: string[]): Generator<Component> {
  const { op, inputs } = step;
  const [first, second] = inputs;
  const back = (to: Step, along: Vector) => walk(to, along, position, heldFixed);
  // a bias is the same at every position
  const vector = (of: Step): Vector => (of.shape.length === 1 ? of.value.data : rowOf(of.value, [position]));
  if (op instanceof Replace) {
    const was = vector(first!);
    const change = vector(step).map((value, i) => value - was[i]!);
    yield { step, head: null, contribution: dot(change, direction), direction };
    yield* back(first!, direction);
  } else if (op instanceof Pick && step.axes === "C") {
    yield* back(first!, direction); // the position that predicts, out of all
  } else if (op instanceof FormulaMap && ["add", "same"].includes(op.formula)) {
    for (const part of inputs) yield* back(part, direction);
  } else if (op instanceof FormulaMap && op.formula === "subtract" && isMeanOf(second!, first!)) {
    const mean = direction.reduce((sum, value) => sum + value, 0) / direction.length;
    yield* back(
      first!,
      direction.map((value) => value - mean),
    );
  } else if (op instanceof FormulaMap && op.formula === "divide" && second!.axes === "T") {
    heldFixed.push(second!.name);
    const scale = second!.value.data[position]!;
    yield* back(
      first!,
      direction.map((value) => (scale ? value / scale : 0)),
    );
  } else if (op instanceof FormulaMap && CURVES.includes(op.formula) && step.axes === "TC") {
    heldFixed.push(step.name); // a curve lets a share of x through
    const [x, y] = [vector(first!), vector(step)];
    yield* back(
      first!,
      direction.map((value, i) => (x[i] ? (value * y[i]!) / x[i] : 0)),
    );
  } else if (op instanceof Contract && inputs.length === 2 && second!.axes === "EC") {
    yield* back(
      first!,
      Float64Array.from({ length: second!.shape[0]! }, (_, row) => dot(rowOf(second!.value, [row]), direction)),
    );
  } else if (op instanceof Contract && inputs.length === 2 && second!.axes === "C" && step.axes.at(-1) === "C") {
    yield* back(
      first!,
      direction.map((value, i) => value * second!.value.data[i]!),
    );
  } else if (op instanceof Contract && inputs.length === 1 && first!.axes[0] === "H" && op.factor === 1) {
    for (let head = 0; head < first!.shape[0]!; head++)
      yield { step: first!, head, contribution: dot(rowOf(first!.value, [head, position]), direction), direction };
  } else yield { step, head: null, contribution: dot(vector(step), direction), direction };
}

const isMeanOf = (mean: Step, x: Step): boolean =>
  mean.op instanceof Contract &&
  mean.inputs.length === 1 &&
  mean.inputs[0] === x &&
  mean.op.factor === 1 / x.shape.at(-1)!;
