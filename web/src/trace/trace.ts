/** A run of a model: every step by name, every number with its reasons, every number changeable. */
import { measurement, measuring } from "../measure/measurements";
import { findCell, findStep, shortCell, splitRuns, writtenCell, type Steps } from "./address";
import { Arithmetic } from "./arithmetic";
import { gradientSteps } from "./backward";
import {
  applied, checkedArray, checkedNumber, checkMovable, checkRows, checkSize, rebuilt, saidOf, withoutWord, type Edit,
} from "./edits"; // prettier-ignore
import { Elsewhere } from "./elsewhere";
import { Given } from "./given";
import { addedBehind, GOAL, goalSteps } from "./goal";
import { NOTHING, type Holding } from "./holding";
import type { Labels } from "./labels";
import { FormulaMap } from "./map";
import { Merge } from "./merge";
import { roleOf } from "./names";
import { near, NotFound } from "./near";
import { isFloat, type Numbers } from "./numbers";
import { Step, type Cell } from "./step";

export type Info = Readonly<Record<string, unknown>>;

interface Run {
  forward: readonly Step[];
  labels: Labels;
  info: Info;
  edits: readonly Edit[];
  of: string | null;
}

interface Parts extends Run {
  holding: Holding; // what counts as constant in the backward pass
  learned: readonly Step[]; // the .next steps, in a trace that an update was made from
  parent: Trace | null;
  switched: { said: string; edits: number } | null; // in words what was switched, and after how many edits
  compared: readonly [string, string] | null; // the two words whose logits measurements compare; null: the usual two
}

/** One more change to a run, as data: kind, step, place, number. */
export type OneMore = readonly [
  kind: "hide" | "update" | "switch" | "cut",
  step: string,
  at: readonly number[],
  number: number | null,
];

const MOST_OTHERS = 3; // runs with another change that a trace keeps: each may be as large as itself

/** Named, lazily computed steps. Never changed: edit, move, pin, hide, backward and update each return a new one. */
export class Trace {
  private forwardKept: Steps<Step> | undefined;
  private gradientsKept: readonly Step[] | undefined;
  private stepsKept: Steps<Step> | undefined;
  private knownKept: Steps<Step> | undefined;
  private readonly families = new Map<string, Steps<Step>>(); // of the measurements that somebody has asked for
  private readonly made = new Map<(trace: Trace) => unknown, unknown>();
  private readonly others = new Map<string, Trace>();

  private constructor(private readonly parts: Parts) {}

  static of(run: Run): Trace {
    return new Trace({ ...run, holding: NOTHING, learned: [], parent: null, switched: null, compared: null });
  }

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
  get compared(): readonly [string, string] | null {
    return this.parts.compared;
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
    const { named: names } = this;
    let steps = gradientSteps(this.forward, names.get(this.of)!, this.parts.holding);
    for (const edit of this.edits)
      // a gradient that was edited is gone where a later change has cut its path, or another number is blamed
      if (!names.has(edit.step) && steps.some((step) => step.name === edit.step)) steps = applied(steps, edit);
    return steps;
  }

  private get named(): Steps<Step> {
    return (this.forwardKept ??= new Map(this.forward.map((step) => [step.name, step])));
  }

  /** The step of exactly this name, where it can be told without a backward pass. */
  private exactly(name: string): Step | undefined {
    const own = this.named.get(name);
    if (own) return own;
    for (const family of this.families.values()) if (family.has(name)) return family.get(name);
    return undefined;
  }

  /** A step by its name, or by the end of it where that is unique. */
  step(name: string): Step {
    return this.find(name, (name, steps) => findStep(name, steps)[0]);
  }

  /** Every step by name, with those of the measurements that were asked for so far. */
  get known(): Steps<Step> {
    if (!this.families.size) return this.steps;
    return (this.knownKept ??= new Map(
      [...this.families.values()].flatMap((family) => [...family]).concat([...this.steps]),
    ));
  }

  /** The steps of one measurement, by name: further steps of this run, made when first asked for. */
  measure(name: string): Steps<Step> {
    let family = this.families.get(name);
    if (!family) {
      family = new Map([...measurement(name).make(this)].map((step) => [step.name, step]));
      this.families.set(name, family);
      this.knownKept = undefined;
    }
    return family;
  }

  /** What a function makes of this trace, made once. */
  remembered<Made>(make: (trace: Trace) => Made): Made {
    if (!this.made.has(make)) this.made.set(make, make(this));
    return this.made.get(make) as Made;
  }

  /** What an address means among the steps, or among those of the measurement that its name is one of. */
  private find<Found>(address: string, finder: (address: string, steps: Steps<Step>, labels: Labels) => Found): Found {
    const name = address.trim().split("[", 1)[0]!;
    const own = this.exactly(name);
    if (own) return finder(address, new Map([[name, own]]), this.labels);
    try {
      return finder(address, this.known, this.labels);
    } catch (error) {
      const name = error instanceof NotFound ? measuring(address) : null;
      if (name === null || this.families.has(name)) throw error;
      this.measure(name);
      return finder(address, this.known, this.labels);
    }
  }

  has(name: string): boolean {
    return this.named.has(name) || this.steps.has(name);
  }

  array(name: string): Numbers {
    return this.step(name).value;
  }

  /** A step that is one number. */
  number(name: string): number {
    return this.array(name).data[0]!;
  }

  /** One number; of another run, by a number that comes from there: without[fox]:logits[jumps]. */
  cell(address: string): Cell {
    const [here, ...there] = splitRuns(address);
    let cell: Cell = this.find(here!, findCell);
    for (const rest of there) {
      if (!(cell.step.op instanceof Elsewhere)) throw new NotFound(`${here} is a number of this run, not of another`);
      const run = cell.step.op.runAt(cell.at);
      cell = { ...run.cell(rest), run };
    }
    return cell;
  }

  /** The shortest address that finds a cell in this trace; of another run, its address there, and which run. */
  nameOf = (cell: Cell): string =>
    cell.run
      ? `${cell.run.nameOf({ ...cell, run: undefined })} (${cell.run.lastChange})`
      : shortCell(cell, this.labels, this.known);

  addressOf = (cell: Cell): string => writtenCell(cell, cell.run?.labels ?? this.labels);

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
  hide(word: string): Trace {
    const step = this.step("visible");
    const position = this.labels.position("K", step.shape.at(-1)!, word);
    const query = this.has("query") ? this.number("query") : null;
    const array = withoutWord(step.value, position, query);
    return this.changed({ kind: "hide", step: step.name, at: [position], array });
  }

  /** The run with one more change, or what `by` makes of it. The last few are kept. */
  withOneMore = (change: OneMore, by: (trace: Trace, change: OneMore) => Trace = oneMore): Trace => {
    const key = JSON.stringify(change);
    let other = this.others.get(key);
    if (!other) {
      if (this.others.size === MOST_OTHERS) this.others.delete(this.others.keys().next().value!);
      this.others.set(key, (other = by(this, change)));
    }
    return other;
  };

  /** In words, what makes this run another than the one it came from. */
  get lastChange(): string {
    if (this.parent?.learned.length) return "after one update";
    const { switched } = this.parts;
    if (switched?.edits === this.edits.length) return switched.said;
    const last = this.edits.at(-1);
    return last ? saidOf(last, this.labels) : "the same";
  }

  /** The same run, which says what was switched in it. */
  saying(said: string): Trace {
    return this.with({ switched: { said, edits: this.edits.length } });
  }

  /** The same run, in which measurements compare these two words. */
  comparing(first: string, second: string): Trace {
    return this.with({ compared: [first, second] });
  }

  /** The same run with some steps made another way: what-if switches. */
  rewired(put: ReadonlyMap<Step, readonly Step[]>): Trace {
    return this.with({ forward: rebuilt(this.forward, put), learned: [], parent: this });
  }

  // learning

  /** The same trace with the gradient of one number: of the loss, or of any cell, such as context[0,1]. */
  backward(of = "loss", holding: Holding = NOTHING): Trace {
    if (of === "loss" && !this.steps.has(of))
      throw new Error("this run has no loss; say which word should follow, or name a cell to blame for");
    const cell = this.cell(of);
    if (this.gradients.includes(cell.step) || this.learned.includes(cell.step))
      throw new Error(`${cell.step.name} is part of a backward pass; take the gradient of a forward step`);
    if (!isFloat(cell.step.value))
      throw new Error(`${cell.step.name} holds ${cell.step.value.dtype} values, which have no gradient`);
    const measured = addedBehind(cell.step, this.forward);
    if (!cell.at.length && !measured.length) {
      const isSo = this.of === cell.step.name && this.parts.holding === holding;
      return isSo ? this : this.with({ of: cell.step.name, holding, learned: [] });
    }
    const kept = this.forward.filter((step) => step.name.split(".")[0] !== GOAL);
    const goal = cell.at.length ? goalSteps(cell) : [];
    return this.with({
      forward: [...kept, ...measured, ...goal],
      of: goal.length ? GOAL : cell.step.name,
      holding,
      learned: [],
    });
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
    const before = this.of !== null && this.parts.holding === NOTHING ? this : this.backward();
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

const oneMore = (trace: Trace, [kind, , at, number]: OneMore): Trace =>
  kind === "hide" ? trace.hide(String(at[0])) : trace.update(number!);

/** A step that stands beside the run, for looking: a change there would change nothing. */
function checkRead(beside: Step, steps: readonly Step[]): void {
  if (steps.some(({ inputs }) => inputs.includes(beside))) return;
  const others = steps.filter((step) => step !== beside && step.inputs.some((input) => beside.inputs.includes(input)));
  const instead = [...beside.inputs, ...others].map((step) => step.name).join(" or ");
  throw new Error(`nothing reads ${beside.name}; edit ${instead} instead`);
}
