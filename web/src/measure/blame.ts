/** Gradients by role, and the proof that they are right: finite differences. */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { roleOf } from "../trace/names";
import { numbers, placeOf, sizeOf } from "../trace/numbers";
import { Step, type Cell } from "../trace/step";
import type { Trace } from "../trace/trace";

const NUDGE = 1e-5;
export const SMALL = 100; // parameters up to which every one is nudged
const MOST = 1e-6; // of the largest gradient: how far differences may miss it, besides rounding
const BLIND = 0.1; // of the largest gradient: where rounding alone reaches this, differences show nothing
const TIED_DIGITS = 15; // gradients equal to so many digits keep the order of the parameters

/** `blame.W_Q`: the size of the gradient in each role, √ of the sum of its squares over all layers. */
export function* blameSteps(trace: Trace): Iterable<Step> {
  const blamed = trace.remembered(blaming);
  const squares = new Map<string, Step[]>();
  for (const { name } of learningParameters(blamed)) {
    const gradient = blamed.steps.get(`${name}.grad`)!;
    const op = new Contract(`${gradient.axes},${gradient.axes}->`);
    const square = new Step(`${name}.blame_square`, op, [gradient, gradient]);
    squares.set(roleOf(name), [...(squares.get(roleOf(name)) ?? []), square]);
  }
  for (const ofRole of squares.values()) yield* ofRole;
  const totals = [...squares].map(([role, ofRole]) => sum(`blame.${role}.square`, ofRole));
  // where edits have cut every parameter off, there is nothing
  const nothing = (): Step => new Step("blame.square", new Given(numbers([0], []), "", "constant"));
  for (const total of [...totals, totals.length ? sum("blame.square", totals) : nothing()])
    yield* [total, new Step(total.name.replace(/\.square$/, ""), new FormulaMap("square_root", "->"), [total])];
}

/** `blame.W_Q.ratio`: how many times more gradient W_V gets. */
export function ratioSteps(trace: Trace): Step[] {
  const sizes = trace.measure("blame");
  const values = sizes.get("blame.W_V");
  return ["blame.W_Q", "blame.W_K"].flatMap((name) => {
    const size = sizes.get(name);
    return values && size ? [new Step(`${name}.ratio`, new FormulaMap("divide", ",->"), [values, size])] : [];
  });
}

/** The size of the gradient in each role, over all layers, the largest first. */
export function roles(trace: Trace): [string, Cell][] {
  const names = new Set(learningParameters(trace.remembered(blaming)).map(({ name }) => roleOf(name)));
  const found = [...names].map((role): [string, Cell] => [role, trace.cell(`blame.${role}`)]);
  const size = ({ step }: Cell): number => Number((step.at([]) ** 2).toFixed(TIED_DIGITS));
  return found.sort(([, a], [, b]) => size(b) - size(a));
}

const sum = (name: string, steps: readonly Step[]): Step =>
  new Step(name, new FormulaMap("add", `${",".repeat(steps.length - 1)}->`), steps);

/** With gradients of the loss, or of what its gradients are of already. */
const blaming = (trace: Trace): Trace => (trace.of === null ? trace.backward() : trace);

/** The parameters that a gradient reaches; a pin can cut some of them off. */
const learningParameters = (trace: Trace): Step[] => trace.parameters.filter(({ name }) => trace.has(`${name}.grad`));

const countOfParameters = (trace: Trace): number =>
  trace.parameters.reduce((count, step) => count + sizeOf(step.shape), 0);

/** How far finite differences are from the gradient, as a share of the largest, and whether that is right.
 *
 * The loss is only known to its last digit. So what rounding alone can do is allowed, and where it could hide the
 * gradient nothing is said: null.
 */
export interface Differences {
  error: number;
  agree: boolean | null;
}

export const agreeing = (error: number, rounding: number): boolean | null =>
  rounding > BLIND ? null : error <= MOST + rounding;

/** The gradient beside (loss(w + h) − loss(w − h)) / 2h.
 *
 * Null where it would take too long, and where there is no slope to measure: an edit can make the target impossible and
 * its loss infinite.
 */
export function finiteDifferences(trace: Trace): Differences | null {
  if (!trace.has("loss") || countOfParameters(trace) > SMALL) return null;
  const backward = trace.backward();
  if (!Number.isFinite(backward.number("loss"))) return null;
  const pairs = learningParameters(backward).flatMap((step) =>
    Array.from({ length: sizeOf(step.shape) }, (_, i) => {
      const at = placeOf(step.shape, i);
      return [slope(trace, step, at), backward.step(`${step.name}.grad`).at(at)] as const;
    }),
  );
  const largest = Math.max(...pairs.map(([, gradient]) => Math.abs(gradient))) || 1;
  const error = Math.max(0, ...pairs.map(([slope, gradient]) => Math.abs(slope - gradient))) / largest;
  return { error, agree: agreeing(error, roundingOf(trace) / NUDGE / largest) };
}

/** By how much rounding can move the loss: every step may round the logits, and the loss is a difference of such.
 *
 * A run without logits, such as an update of word vectors, has the size of its loss alone.
 */
function roundingOf(trace: Trace): number {
  const missed = -Math.expm1(-Math.abs(trace.number("loss")));
  const seen = trace.array(trace.has("logits") ? "logits" : "loss");
  const size = 1 + Math.max(...seen.data.map(Math.abs));
  return Number.EPSILON * size * (1 + 2 * trace.forward.length * missed);
}

function slope(trace: Trace, step: Step, at: number[]): number {
  const cell = `${step.name}[${at.join(",")}]`;
  const [up, down] = [NUDGE, -NUDGE].map((h) => trace.edit(cell, step.at(at) + h).number("loss"));
  return (up! - down!) / (2 * NUDGE);
}
