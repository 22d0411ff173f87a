/** What counts as a constant while blame is passed back: a value handed to the backward pass.
 *
 * With nothing held, blame is the gradient. Held at the values they had in this run, attention's weights, the norms'
 * deviations, the curves' gates and the parameters leave a transformer that is linear in its words, and blame becomes a
 * direction: the dot product of a vector with its direction is exactly what the vector carries to the goal.
 */
import { Given } from "./given";
import { FormulaMap } from "./map";
import type { New } from "./operation";
import { formula } from "./recipe";
import type { Step } from "./step";

export const EDITED = /\.original\d*$/;
export type Reaches = (read: Step, by: Step) => boolean;

/** Which steps are held (by a pattern of their names), and whether parameters and the gates of curves are too. */
export class Holding {
  constructor(
    readonly suffix: string, // what the steps of such a backward pass are called: x.grad, x.toward
    private readonly names: RegExp | null = null, // where it is null, nothing is held
    readonly says = "nothing", // for screens
  ) {}

  /** For each input of a step, its share of the step's blame. */
  shares(step: Step, blame: Step): (New | null)[] {
    const { op } = step;
    return this.names && op.backwardHoldingGates ? op.backwardHoldingGates(step, blame) : op.backward(step, blame);
  }

  /** Whether an input of a step gets its share. */
  reaching(forward: readonly Step[]): Reaches {
    const { names } = this;
    if (!names) {
      const feels = feelsOf(forward);
      return (read) => feels.get(read) ?? false;
    }
    const parameters = parameterNames(forward);
    const isConstant = (read: Step): boolean => read.op instanceof Given && read.op.role === "constant";
    return (read, by) => (parameters.has(read.name) || isConstant(read) ? isSum(by) : !names.test(read.name));
  }

  /** The steps that counted as constants where directions passed them, and the curves whose gates did. */
  held(forward: readonly Step[], directions: ReadonlyMap<string, Step>): string[] {
    const reached = forward.filter((step) => directions.has(`${step.name}.${this.suffix}`));
    const steps = reached.flatMap((step) =>
      step.inputs.filter((input) => this.names?.test(input.name) && !(input.op instanceof Given)),
    );
    const curves = reached.filter((step) => step.op instanceof FormulaMap && formula(step.op.formula).gate);
    return [...new Set([...steps, ...curves].map((step) => step.name))];
  }
}

export const NOTHING = new Holding("grad");
export const SLOPE = new Holding("slope"); // a gradient of something else, beside that of the loss
export const FLOW = new Holding(
  "toward",
  /^layer\d+\.(weights|opened)$|(^|\.)deviation$/,
  "attention's weights, the norms' deviations, the MLPs' gates and the parameters",
);
/** Everything that heads and MLPs read, and the norms' deviations. */
export const DIRECT = new Holding(
  "direct",
  /^layer\d+\.(weights|[kv](\.shared|\.rotated)?|activated)$|(^|\.)deviation$/,
);

export const isSum = ({ op }: Step): boolean => op instanceof FormulaMap && op.formula === "add";

/** The parameters, also those that were edited: these are no longer given, but still no part of the text. */
export function parameterNames(forward: readonly Step[]): Set<string> {
  const given = forward.filter(({ op }) => op instanceof Given && op.role === "parameter").map(({ name }) => name);
  return new Set([...given, ...given.map((name) => name.replace(EDITED, ""))]);
}

/** Whether anything that could change lies behind a step; masks, ids and angles are constants. */
function feelsOf(forward: readonly Step[]): Map<Step, boolean> {
  const feels = new Map<Step, boolean>();
  for (const step of forward)
    feels.set(
      step,
      step.op instanceof Given ? step.op.role !== "constant" : step.inputs.some((input) => feels.get(input)),
    );
  return feels;
}
