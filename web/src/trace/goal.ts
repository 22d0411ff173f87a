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
