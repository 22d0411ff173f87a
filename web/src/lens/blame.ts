/** Gradients by role, and the proof that they are right: finite differences. */
import { roleOf } from "../trace/names";
import { placeOf, sizeOf } from "../trace/numbers";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

const NUDGE = 1e-5;
export const SMALL = 100; // parameters up to which every one is nudged

/** The size of the gradient in each role, over all layers: W_out, W_V, E, position, W_Q, W_K, … */
export function roles(trace: Trace): Record<string, number> {
  const squares = new Map<string, number>();
  for (const { name } of learningParameters(trace)) {
    const sum = trace.array(`${name}.grad`).data.reduce((total, value) => total + value * value, 0);
    squares.set(roleOf(name), (squares.get(roleOf(name)) ?? 0) + sum);
  }
  const ranked = [...squares].sort(([, a], [, b]) => (Math.abs(b - a) < 1e-15 ? 0 : b - a));
  return Object.fromEntries(ranked.map(([role, sum]) => [role, Math.sqrt(sum)]));
}

/** The parameters that a gradient reaches; a pin can cut some of them off. */
export const learningParameters = (trace: Trace): Step[] =>
  trace.parameters.filter(({ name }) => trace.has(`${name}.grad`));

export const countOfParameters = (trace: Trace): number =>
  trace.parameters.reduce((sum, step) => sum + sizeOf(step.shape), 0);

/** The largest difference between the gradient and (loss(w + h) − loss(w − h)) / 2h, over the largest gradient.
 *
 * Null where there is no slope to measure: an edit can make the target impossible and its loss infinite.
 */
export function finiteDifferenceError(trace: Trace, mostCells = SMALL): number | null {
  const backward = trace.backward();
  if (!Number.isFinite(backward.number("loss"))) return null;
  const cells = learningParameters(backward).flatMap((step) =>
    Array.from({ length: sizeOf(step.shape) }, (_, i): [Step, number[]] => [step, placeOf(step.shape, i)]),
  );
  const apart = Math.max(1, cells.length / mostCells);
  const chosen = cells.filter((_, i) => Math.floor(i / apart) !== Math.floor((i - 1) / apart));
  const pairs = chosen.map(
    ([step, at]) => [slope(trace, step, at), backward.step(`${step.name}.grad`).at(at)] as const,
  );
  const largest = Math.max(...pairs.map(([, gradient]) => Math.abs(gradient))) || 1;
  return Math.max(0, ...pairs.map(([slope, gradient]) => Math.abs(slope - gradient))) / largest;
}

function slope(trace: Trace, step: Step, at: number[]): number {
  const cell = `${step.name}[${at.join(",")}]`;
  const [up, down] = [NUDGE, -NUDGE].map((h) => trace.edit(cell, step.at(at) + h).number("loss"));
  return (up! - down!) / (2 * NUDGE);
}
