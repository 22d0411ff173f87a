/** What the numbers of a row make together, and what those make that a short list leaves out.
 *
 * `probabilities.rest4` is what all words have but the four most probable ones and the target;
 * `layer5.weights.rest7[3]` what head 3 gives to all words but the seven that it reads most and the one that reads.
 */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { withoutLayer } from "../trace/names";
import { numbers, offset, rowOf, sizeOf, zeros, type Numbers } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { mixing } from "./attending";
import { contributions } from "./contributions";
import { flowing } from "./flowing";

/** `layer0.weights.sum[head,query]` and `probabilities.sum`: 1, unless somebody has set one of them. */
export function sumSteps(trace: Trace): Step[] {
  return trace.forward
    .filter(({ name }) => ["weights", "probabilities"].includes(withoutLayer(name)))
    .map((step) => new Step(`${step.name}.sum`, new Contract(`${step.axes}->${step.axes.slice(0, -1)}`), [step]));
}

/** `probabilities.rest4`: what all words have together but the most probable ones and the target. */
export function restOfProbabilities(trace: Trace, number: number): Step[] {
  const step = trace.step("probabilities");
  if (step.shape.length !== 1) return [];
  const hidden = ones(step.shape);
  const targets = trace.has("target") ? [trace.number("target")] : [];
  for (const place of [...largest(step.value.data, number), ...targets]) hidden.data[place] = 0;
  return summed(step, hidden, `probabilities.rest${number}`);
}

/** `layer0.weights.rest7[head]`: what the word that predicts gives to all but those it reads most and itself. */
export function* restOfWeights(trace: Trace, number: number): Iterable<Step> {
  if (!trace.has("query")) return;
  const query = trace.number("query");
  for (const layer of mixing(trace).keys()) {
    const weights = trace.step(`${layer}.weights`);
    const op = new Pick(`${weights.axes},->HK`);
    const row = new Step(`${layer}.weights.rest${number}.row`, op, [weights, trace.step("query")]);
    const hidden = ones(row.shape);
    for (let head = 0; head < row.shape[0]!; head++)
      for (const place of [...largest(rowOf(row.value, [head]), number), query])
        hidden.data[offset(row.shape, [head, place])] = 0;
    yield* [row, ...summed(row, hidden, `${layer}.weights.rest${number}`)];
  }
}

/** `contribution.rest8`: what all parts of the model add but those that add most. */
export function* restOfContributions(trace: Trace, number: number): Iterable<Step> {
  const { components } = contributions(trace);
  const sizes = components.map(({ cell }) => (cell ? Math.abs(cell.step.at(cell.at)) : 0));
  const shown = largest(sizes, number);
  const hidden = new Map<Step, (readonly number[])[]>();
  components.forEach(({ cell }, place) => {
    if (cell && !shown.includes(place)) hidden.set(cell.step, [...(hidden.get(cell.step) ?? []), cell.at]);
  });
  const rest: Step[] = [];
  for (const [step, places] of hidden) {
    const which = zeros(step.shape);
    for (const at of places) which.data[offset(step.shape, at)] = 1;
    const made = step.axes ? summed(step, which, `${step.name}.rest${number}`) : [];
    yield* made;
    rest.push(made.at(-1) ?? step);
  }
  yield sum(`contribution.rest${number}`, rest);
}

/** `flow.biases.rest6`: what all biases carry but those that carry most. */
export function restOfBiases(trace: Trace, number: number): Step[] {
  const { sources } = trace.remembered(flowing);
  const biases = sources.filter(({ kind }) => kind === "bias" || kind === "edit").map(({ inAll }) => inAll);
  const sizes = biases.map((step) => Math.abs(step.value.data[0]!));
  const shown = largest(sizes, number);
  return [
    sum(
      `flow.biases.rest${number}`,
      biases.filter((_, place) => !shown.includes(place)),
    ),
  ];
}

/** `layer3.flow.rest12`: what the heads of a layer carry between all words but the pairs that carry most. */
export function* restOfPairs(trace: Trace, number: number): Iterable<Step> {
  const flow = trace.measure("flow");
  for (const layer of mixing(trace).keys()) {
    const pairs = flow.get(`${layer}.flow.pairs`);
    if (!pairs) continue;
    const hidden = ones(pairs.shape);
    for (const place of largest(pairs.value.data.map(Math.abs), number)) hidden.data[place] = 0;
    const which = new Step(`${layer}.flow.rest${number}.which`, new Given(hidden, pairs.axes, "constant"));
    const op = new Contract(`${pairs.axes},${pairs.axes}->`);
    yield* [which, new Step(`${layer}.flow.rest${number}`, op, [pairs, which])];
  }
}

/** `flow.words.rest20`: what all words carry but those that carry most and the one that predicts. */
export function restOfWords(trace: Trace, number: number): Step[] {
  const words = trace.measure("flow").get("flow.words");
  if (!words || !trace.has("query")) return [];
  const hidden = ones(words.shape);
  for (const place of [...largest(words.value.data.map(Math.abs), number), trace.number("query")])
    hidden.data[place] = 0;
  return summed(words, hidden, `flow.words.rest${number}`);
}

/** Where the largest stand, the first of equal ones first: what a short list shows. */
export function largest(values: ArrayLike<number>, number: number): number[] {
  return Array.from(values, (_, place) => place)
    .sort((a, b) => values[b]! - values[a]!)
    .slice(0, number);
}

const ones = (shape: readonly number[]): Numbers => numbers(new Array<number>(sizeOf(shape)).fill(1), shape);

function summed(step: Step, hidden: Numbers, name: string): Step[] {
  const which = new Step(`${name}.which`, new Given(hidden, step.axes, "constant"));
  return [which, new Step(name, new Contract(`${step.axes},${step.axes}->${step.axes.slice(0, -1)}`), [step, which])];
}

function sum(name: string, steps: readonly Step[]): Step {
  if (!steps.length) return new Step(name, new Given(numbers([0], []), "", "constant"));
  return new Step(name, new FormulaMap("add", `${",".repeat(steps.length - 1)}->`), steps);
}
