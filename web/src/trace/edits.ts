/** Changing a number: an edit is a step like any other, put in after the one it changes.
 *
 * The edited step keeps its name, so that everything after it reads the new number; what was there before is called
 * `.original`. Steps that do not depend on the change are shared with the trace before it.
 */
import { total } from "./expression";
import { Contract } from "./contract";
import { general } from "./format";
import { Given } from "./given";
import type { Labels } from "./labels";
import { FormulaMap } from "./map";
import { numbers, offset, rowOf, sizeOf, zeros, type Numbers } from "./numbers";
import { Pick } from "./pick";
import { Replace } from "./replace";
import { sizesOf } from "./spec";
import { Step, type Cell } from "./step";

/** What was changed: one cell typed (edit) or dragged (move), a whole step replaced (pin), a word hidden (hide).
 *
 * A hidden word is its position in `at`, and what may be looked at in the place of `visible`.
 */
export type Edit =
  | { kind: "edit" | "move"; step: string; at: readonly number[]; number: number }
  | { kind: "pin" | "hide"; step: string; at: readonly number[]; array: Numbers };

/** In words: what was done. */
export function saidOf(edit: Edit, labels: Labels): string {
  if (edit.kind === "hide") return `without ${labels.word("K", edit.at[0]!)}`;
  const place = edit.at.length ? `${edit.step}[${edit.at.join(",")}]` : edit.step;
  if ("array" in edit) return `${place} replaced`;
  return `${place} ${edit.kind === "edit" ? "set to" : "dragged to"} ${general(edit.number, 6)}`;
}

/** The steps with some of them replaced, and new ones for all that depend on these; the others are shared. */
export function rebuilt(steps: readonly Step[], put: ReadonlyMap<Step, readonly Step[]>): Step[] {
  const made = new Map<Step, Step>();
  return steps.flatMap((step) => {
    const instead = put.get(step);
    if (instead) {
      made.set(step, instead.at(-1)!);
      return instead;
    }
    if (!step.inputs.some((input) => made.has(input))) return [step];
    made.set(
      step,
      new Step(
        step.name,
        step.op,
        step.inputs.map((input) => made.get(input) ?? input),
      ),
    );
    return [made.get(step)!];
  });
}

export function applied(steps: readonly Step[], edit: Edit): Step[] {
  const names = new Set(steps.map((step) => step.name));
  const target = steps.find((step) => step.name === edit.step)!;
  const original = target.renamed(free(`${target.name}.original`, names));
  if ("array" in edit) {
    // the new values take the place of the old in every sense: they have a gradient, and do not learn
    return rebuilt(steps, new Map([[target, [original, new Step(target.name, new Given(edit.array, target.axes))]]]));
  }
  const inserted = edit.kind === "move" ? dragged(original, target.name, edit.at, edit.number, names) : [original];
  const last = new Step(target.name, new Replace(target.axes, edit.at, edit.number), [inserted.at(-1)!]);
  return rebuilt(steps, new Map([[target, [...inserted, last]]]));
}

/** The step behind the numbers that were set by hand. */
export function unedited(step: Step): Step {
  while (step.op instanceof Replace) step = step.inputs[0]!;
  return step;
}

/** The step as it was before the last of its numbers was set by hand: of one that was dragged, before the others of its
 * row were rescaled. */
export function beforeHand(step: Step): Step {
  const last = step.inputs[0]!;
  return last.op instanceof FormulaMap && last.op.formula === "rescale" ? last.inputs[0]!.inputs[0]! : last;
}

/** What may be looked at (…QK) when nobody may read one word.
 *
 * A word still reads itself, so that its own row is not left empty, except at the position that predicts.
 */
export function withoutWord(visible: Numbers, position: number, query: number | null): Numbers {
  const [queries, keys] = visible.shape.slice(-2) as [number, number];
  const data = visible.data.map((may, cell) => {
    const isItself = Math.floor(cell / keys) % queries === position && position !== query;
    return cell % keys === position && !isItself ? 0 : may;
  });
  return { ...visible, data };
}

/** The other cells of the row share what is left, in the proportions they had. */
function dragged(original: Step, name: string, at: readonly number[], number: number, names: Set<string>): Step[] {
  const { axes, shape } = original;
  const rowAxes = axes.slice(0, -1);
  const row = zeros(shape.slice(0, -1), "bool");
  row.data[offset(row.shape, at.slice(0, -1))] = 1;
  const others = new Step(free(`${name}.others`, names), new Replace(axes, at, 0), [original]);
  const left = new Step(free(`${name}.left`, names), new Contract(`${axes}->${rowAxes}`), [others]);
  const which = new Step(free(`${name}.dragged`, names), new Given(row, rowAxes, "constant"));
  const rescale = new FormulaMap("rescale", `${axes},${rowAxes},${rowAxes}->${axes}`, [1 - number]);
  return [original, others, left, which, new Step(free(`${name}.rescaled`, names), rescale, [others, left, which])];
}

/** A step edited twice has its first value under .original; later ones are numbered. */
function free(name: string, names: Set<string>): string {
  let wanted = name;
  for (let n = 2; names.has(wanted); n++) wanted = `${name}${n}`;
  return wanted;
}

const LARGEST = 1e30; // what a cell may be set to: products of several such numbers still fit into a double

export function checkedNumber(value: number, what = "a cell"): number {
  if (!(Math.abs(value) <= LARGEST))
    throw new Error(`${what} takes a finite number, at most 1e+30 in size; ${value} came`);
  return value;
}

/** A number that grows without bound ends as NaN; it is stopped before. */
export function checkSize(values: Numbers, what: string): void {
  const { data } = values;
  for (let i = 0; i < data.length; i++)
    if (!(Math.abs(data[i]!) <= LARGEST)) throw new Error(`${what} would be larger than 1e+30; choose a smaller rate`);
}

/** An array in the place of a step: of its shape and its kind of number. */
export function checkedArray(array: ArrayLike<number>, step: Step): Numbers {
  if (array.length !== sizeOf(step.shape))
    throw new Error(`${step.name} has the shape ${step.shape.join(" × ")}; ${array.length} numbers came`);
  const mayHide = step.op instanceof FormulaMap && step.op.formula === "hide"; // a hidden score is −∞ by nature
  const values = numbers(array, step.shape, step.value.dtype);
  if (!values.data.every((value) => Math.abs(value) <= LARGEST || (mayHide && value === -Infinity)))
    throw new Error(`the array for ${step.name} has cells that are not numbers up to 1e+30`);
  return values;
}

/** Numbers of rows that were pinned must be rows of the table that they pick from. */
export function checkRows(steps: readonly Step[], name: string): void {
  for (const { op, inputs } of steps) {
    if (!(op instanceof Pick) || inputs[1]!.name !== name) continue;
    const rows = sizesOf(
      op.spec,
      inputs.map((i) => i.shape),
    ).get(op.picked)!;
    if (inputs[1]!.value.data.some((id) => id < 0 || id >= rows))
      throw new Error(`${name} numbers the rows of ${inputs[0]!.name}, from 0 to ${rows - 1}; others came`);
  }
}

/** Dragging needs a visible cell of a distribution, and somebody else to take the rest. */
export function checkMovable({ step, at }: Cell, number: number): void {
  const row = step.axes ? rowOf(step.value, at.slice(0, -1)) : new Float64Array();
  const whole = total(row);
  if (!row.length || row.some((share) => share < 0) || Math.abs(whole - 1) > 1e-6)
    throw new Error(`${step.name} is not a row of shares that sums to 1 here; set the cell with edit instead`);
  if (!(number >= 0 && number <= 1)) throw new Error(`a share lies between 0 and 1; ${number} came`);
  const isShare = step.op instanceof FormulaMap && step.op.formula === "divide";
  if (isShare && step.inputs[0]!.at(at) === 0 && number > 0)
    throw new Error(`this cell of ${step.name} is hidden by the mask, so it has no share to drag`);
  if (whole - row[at.at(-1)!]! <= 0 && number < 1)
    throw new Error(`no other cell of this row of ${step.name} can take the rest; set the cell with edit instead`);
}
