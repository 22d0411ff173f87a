/** One cell as a number of its own, so that a gradient can be taken of it: steps that pick it out, axis by axis. */
import { Given } from "./given";
import { numbers } from "./numbers";
import { Pick } from "./pick";
import { Step, type Cell } from "./step";

export const GOAL = "goal";

/** Steps that end in `goal`, which holds just this cell. */
export function goalSteps({ step, at }: Cell): Step[] {
  const steps: Step[] = [];
  let rest = step;
  let { axes } = step;
  at.forEach((place, number) => {
    const isLast = number === at.length - 1;
    const where = new Step(`${GOAL}.at${number}`, new Given(numbers([place], [], "int64"), "", "constant"));
    rest = new Step(isLast ? GOAL : `${GOAL}.row${number}`, new Pick(`${axes},->${axes.slice(1)}`), [rest, where]);
    axes = axes.slice(1);
    steps.push(where, rest);
  });
  return steps;
}

/** The steps behind one that are not among those of the run: what a measurement has added, in order. */
export function addedBehind(step: Step, forward: readonly Step[]): Step[] {
  const known = new Set(forward);
  const found: Step[] = [];
  const waiting = [step];
  while (waiting.length) {
    const current = waiting.at(-1)!;
    const missing = current.inputs.filter((input) => !known.has(input));
    waiting.push(...missing);
    if (missing.length) continue;
    waiting.pop();
    if (known.has(current)) continue;
    known.add(current);
    found.push(current);
  }
  return found;
}
