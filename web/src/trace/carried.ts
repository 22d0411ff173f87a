/** What a step carries of some earlier ones, all held that a `Holding` holds: forward, as directions go back.
 *
 * A held transformer is affine. The linear part of a step, seen from a source, is the same chain of operations on the
 * source alone: terms that are added on the way are left out, cells that were set by hand carry nothing.
 */
import { Contract } from "./contract";
import type { Reaches } from "./holding";
import { FormulaMap } from "./map";
import type { Operation } from "./operation";
import { Pick } from "./pick";
import { formula } from "./recipe";
import { Replace } from "./replace";
import { parse } from "./spec";
import { Step } from "./step";

/** What a step has of one source, and the new steps that say so, in order; null if nothing of it arrives. */
export function carried(step: Step, source: Step, reaches: Reaches): { whole: Step | null; made: Step[] } {
  const known = new Map<Step, Step | null>([[source, source]]);
  const made: Step[] = [];
  const arriving = (step: Step): Step | null => {
    if (!known.has(step)) {
      const parts = step.inputs.map((input) => (reaches(input, step) ? arriving(input) : null));
      known.set(step, onParts(step, parts, `${step.name}.carried`, made));
    }
    return known.get(step)!;
  };
  return { whole: arriving(step), made };
}

type Arrived = readonly (readonly [number, Step])[];

/** A step on the parts of its inputs that arrive. */
function onParts(step: Step, parts: readonly (Step | null)[], name: string, made: Step[]): Step | null {
  let arrived: Arrived = parts.flatMap((part, n) => (part ? [[n, part] as const] : []));
  if (!arrived.length) return null;
  const lacksATerm = adds(step.op) && arrived.length < parts.length;
  const isWhole = arrived.every(([n, part]) => part === step.inputs[n]);
  if (isWhole && !lacksATerm && !(step.op instanceof Replace)) return step;
  if (step.op instanceof FormulaMap && adds(step.op)) {
    const { inputs: letters, output } = parse(step.op.spec);
    if (arrived.every(([n]) => letters[n] !== output)) {
      // biases alone: written out for every word
      const [[n, part], ...others] = arrived as [Arrived[number], ...Arrived];
      const sizes = [...output].map((letter, axis): [string, number] => [letter, step.shape[axis]!]);
      const missing = sizes.filter(([letter]) => !letters[n]!.includes(letter));
      made.push(new Step(`${name}.each`, new Contract(`${letters[n]!}->${output}`, 1, missing), [part]));
      arrived = [[n, made.at(-1)!], ...others];
    }
  }
  const { op, inputs } = linear(step, arrived);
  if (op instanceof FormulaMap && op.formula === "same" && op.spec === `${inputs[0]!.axes}->${op.axes}`)
    return inputs[0]!;
  made.push(new Step(name, op, inputs));
  return made.at(-1)!;
}

const adds = (op: Operation): boolean => op instanceof FormulaMap && ["add", "subtract"].includes(op.formula);

function linear(step: Step, arrived: Arrived): { op: Operation; inputs: Step[] } {
  const { op } = step;
  const [position, first] = arrived[0]!;
  if (op instanceof Replace) return { op: new Replace(op.axes, op.at, 0), inputs: [first] };
  if (op instanceof FormulaMap) {
    const { inputs: letters, output } = parse(op.spec);
    if (op.formula === "add") {
      const axes = arrived.map(([n, part]) => (part.axes === output ? output : letters[n]!));
      const spec = `${axes.join(",")}->${output}`;
      const sum = new FormulaMap(arrived.length > 1 ? "add" : "same", spec);
      return { op: sum, inputs: arrived.map(([, part]) => part) };
    }
    if (op.formula === "subtract" && arrived.length === 1) {
      const spec = `${output}->${output}`;
      return { op: new FormulaMap(position === 0 ? "same" : "negative", spec), inputs: [first] };
    }
    const { gate } = formula(op.formula);
    if (gate) {
      const spec = `${output},${letters[0]!}->${output}`;
      const constants = gate.withConstants ? op.constants : [];
      return { op: new FormulaMap(gate.formula, spec, constants), inputs: [first, step.inputs[0]!] };
    }
  }
  if (op instanceof Contract && arrived.length > 1)
    throw new Error(`${step.name} multiplies two numbers that are not held; it carries neither alone`);
  if (!(op instanceof Contract || op instanceof FormulaMap || op instanceof Pick))
    throw new Error(`${step.name} is of a kind that carries nothing: ${op.kind}`);
  const parts = new Map(arrived);
  return { op, inputs: step.inputs.map((input, n) => parts.get(n) ?? input) };
}
