/** A run of a model: every step by name, every number with its reasons, every number changeable. */
import { findCell, findStep, shortCell, writtenCell, type Steps } from "./address";
import { Arithmetic } from "./arithmetic";
import { gradientSteps } from "./backward";
import { applied, checkedArray, checkedNumber, checkMovable, checkRows, checkSize, rebuilt, withoutWord, type Edit } from "./edits";
import { Given } from "./given";
import { GOAL, goalSteps } from "./goal";
import type { Labels } from "./labels";
import { FormulaMap } from "./map";
import { Merge } from "./merge";
import { roleOf } from "./names";
import { near, NotFound } from "./near";
import { isFloat, type Numbers } from "./numbers";
import { Step, type Cell } from "./step";

export type Info = Readonly<Record<string, unknown>>;

interface Parts {
  forward: readonly Step[];
  labels: Labels;
  info: Info;
  edits: readonly Edit[];
  of: string | null;
  learned: readonly Step[]; // the .next steps, in a trace that an update was made from
  parent: Trace | null;
}

/** Named, lazily computed steps. Never changed: edit, move, pin, hide, backward and update each return a new one. */
export class Trace {
  private gradientsKept: readonly Step[] | undefined;
  private stepsKept: Steps<Step> | undefined;

  constructor(private readonly parts: Parts) {}

  get forward(): readonly Step[] {
    return this.parts.forward;
  }
  get labels(): Labels {
    return this.parts.labels;
  }
  get info(): Info {
    return this.parts.info;
  }
  get edits(): readonly Edit[] {
    return this.parts.edits;
  }
  get of(): string | null {
    return this.parts.of;
  }
  get learned(): readonly Step[] {
    return this.parts.learned;
  }
  get parent(): Trace | null {
    return this.parts.parent;
  }

  private with(changed: Partial<Parts>): Trace {
    return new Trace({ ...this.parts, ...changed });
  }

  // reading

  /** Every step by name: forward, backward if asked for, and the next parameters. */
  get steps(): Steps<Step> {
    return (this.stepsKept ??= new Map(
      [...this.forward, ...this.gradients, ...this.learned].map((step) => [step.name, step]),
    ));
  }

  get gradients(): readonly Step[] {
    return (this.gradientsKept ??= this.derived());
  }

  private derived(): readonly Step[] {
    if (this.of === null) return [];
    const names = new Map(this.forward.map((step) => [step.name, step]));
    let steps = gradientSteps(this.forward, names.get(this.of)!);
    for (const edit of this.edits)
      // a gradient that was edited is gone where a later change has cut its path, or another number is blamed
      if (!names.has(edit.step) && steps.some((step) => step.name === edit.step)) steps = applied(steps, edit);
    return steps;
  }

  /** A step by its name, or by the end of it where that is unique. */
  step(name: string): Step {
    return findStep(name, this.steps)[0];
  }

  has(name: string): boolean {
    return this.steps.has(name);
  }

  array(name: string): Numbers {
    return this.step(name).value;
  }

  /** A step that is one number. */
  number(name: string): number {
    return this.array(name).data[0]!;
  }

  cell(address: string): Cell {
    return findCell(address, this.steps, this.labels);
  }

  /** The shortest address that finds a cell in this trace. */
  nameOf = (cell: Cell): string => shortCell(cell, this.labels, this.steps);

  addressOf = (cell: Cell): string => writtenCell(cell, this.labels);

  /** The arithmetic of one number, with the cells it read. */
  why(address: string | Cell): Arithmetic {
    return new Arithmetic(typeof address === "string" ? this.cell(address) : address, this.nameOf);
  }

  /** The most probable next word. */
  get predicted(): string {
    const { value, axes } = this.step("probabilities");
    const count = value.shape.at(-1)!;
    const last = value.data.subarray(value.data.length - count);
    return this.labels.plain(axes.at(-1)!, last.indexOf(Math.max(...last)));
  }

  // changing

  /** Set one number; everything after it runs again, and no gradient goes through the cell. */
  edit(address: string, number: number): Trace {
    const { step, at } = this.cell(address);
    this.checkEditable(step);
    return this.changed({ kind: "edit", step: step.name, at, number: checkedNumber(number) });
  }

  /** Drag one share of a distribution: the others of its row rescale, and the row still sums to 1. */
  move(address: string, number: number): Trace {
    const cell = this.cell(address);
    this.checkEditable(cell.step);
    checkMovable(cell, checkedNumber(number));
    return this.changed({ kind: "move", step: cell.step.name, at: cell.at, number });
  }

  /** Put given numbers in the place of a whole step. */
  pin(name: string, array: ArrayLike<number>): Trace {
    const step = this.step(name);
    this.checkChangeable(step);
    const changed = this.changed({ kind: "pin", step: step.name, at: [], array: checkedArray(array, step) });
    checkRows(changed.forward, step.name);
    return changed;
  }

  /** Let nobody read one word, named as in an address; the other weights take its share. */
  hide(word: string | number): Trace {
    const step = this.step("visible");
    const position = this.labels.position("K", step.shape.at(-1)!, String(word));
    const query = this.has("query") ? this.number("query") : null;
    return this.changed({ kind: "hide", step: step.name, at: [position], array: withoutWord(step.value, position, query) });
  }

  /** The same run with some steps made another way: what-if switches. */
  rewired(put: ReadonlyMap<Step, readonly Step[]>): Trace {
    return this.with({ forward: rebuilt(this.forward, put), learned: [], parent: this });
  }

  // learning

  /** The same trace with the gradient of one number: of the loss, or of any cell, such as context[0,1]. */
  backward(of = "loss"): Trace {
    if (of === "loss" && !this.steps.has(of))
      throw new Error("this run has no loss; say which word should follow, or name a cell to blame for");
    const cell = this.cell(of);
    if (!this.forward.includes(cell.step))
      throw new Error(`${cell.step.name} is part of a backward pass; take the gradient of a forward step`);
    if (!isFloat(cell.step.value))
      throw new Error(`${cell.step.name} holds ${cell.step.value.dtype} values, which have no gradient`);
    if (!cell.at.length) return this.of === cell.step.name ? this : this.with({ of: cell.step.name, learned: [] });
    const kept = this.forward.filter((step) => step.name.split(".")[0] !== GOAL);
    return this.with({ forward: [...kept, ...goalSteps(cell)], of: GOAL, learned: [] });
  }

  /** What can learn, by name. */
  get parameters(): Step[] {
    return this.forward.filter((step) => step.op instanceof Given && step.op.role === "parameter");
  }

  /** One update by gradient descent: W.next = W − rate · W.grad for all parameters, or for those named.
   *
   * The new trace's parent holds the `.next` steps, so that each new number can be asked why. It keeps no ancestors:
   * ten thousand updates hold the memory of two.
   */
  update(rate = 0.1, learns?: readonly string[]): Trace {
    checkedNumber(rate, "a rate");
    const before = this.of !== null ? this : this.backward();
    const nexts = new Map<Step, Step>();
    for (const step of before.learning(learns)) {
      const gradient = before.steps.get(`${step.name}.grad`);
      if (!gradient) continue;
      const update = new FormulaMap("update", `${step.axes},${step.axes}->${step.axes}`, [rate]);
      nexts.set(step, new Step(`${step.name}.next`, update, [step, gradient]));
    }
    for (const next of nexts.values()) checkSize(next.value, `${next.name} at the rate ${rate}`);
    const put = new Map([...nexts].map(([old, next]): [Step, Step[]] =>
      [old, [new Step(old.name, new Given(next.value, old.axes, "parameter"))]])); // prettier-ignore
    const parent = before.with({ learned: [...nexts.values()], parent: null });
    parent.gradientsKept = before.gradients;
    // other numbers, the same graph: the backward pass is rebuilt like the forward one, not derived again
    const steps = rebuilt([...before.forward, ...before.gradients], put);
    const after = before.with({ forward: steps.slice(0, before.forward.length), learned: [], parent });
    after.gradientsKept = steps.slice(before.forward.length);
    return after;
  }

  /** Names of parameters; a role such as W_Q stands for that of every layer. */
  private learning(learns?: readonly string[]): Step[] {
    const known = this.parameters;
    if (!learns) return known;
    return learns.flatMap((wanted) => {
      const found = known.filter((step) => wanted === step.name || wanted === roleOf(step.name));
      if (!found.length)
        throw new NotFound(
          `no parameter '${wanted}'; ${near(
            wanted,
            known.map((step) => step.name),
          )}`,
        );
      return found;
    });
  }

  private changed(edit: Edit): Trace {
    const isForward = this.forward.some((step) => step.name === edit.step);
    const forward = isForward ? applied(this.forward, edit) : this.forward;
    return this.with({ forward, edits: [...this.edits, edit], learned: [], parent: this });
  }

  private checkEditable(step: Step): void {
    this.checkChangeable(step);
    if (!isFloat(step.value)) throw new Error(`${step.name} holds ${step.value.dtype} values, not numbers to edit`);
  }

  private checkChangeable(step: Step): void {
    if (this.learned.includes(step))
      throw new Error(`${step.name} is computed from a gradient; edit ${step.name.replace(/\.next$/, "")} instead`);
    if (step.op instanceof Merge) checkRead(step, this.forward);
  }
}

/** A step that stands beside the run, for looking: a change there would change nothing. */
function checkRead(beside: Step, steps: readonly Step[]): void {
  if (steps.some(({ inputs }) => inputs.includes(beside))) return;
  const others = steps.filter((step) => step !== beside && step.inputs.some((input) => beside.inputs.includes(input)));
  const instead = [...beside.inputs, ...others].map((step) => step.name).join(" or ");
  throw new Error(`nothing reads ${beside.name}; edit ${instead} instead`);
}
