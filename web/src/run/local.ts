/** A run whose every number is computed here, by the interpreter: toys, the notebook widget, the offline file. */
import { checkChanges, patience } from "../bounds";
import { finiteDifferences, type Differences } from "../measure/blame";
import { explanation, type Explanation } from "../measure/explanation";
import { flowPicture, type FlowPicture } from "../measure/picture";
import type { Change, State } from "../state";
import { runOf } from "../trace/address";
import type { Arithmetic } from "../trace/arithmetic";
import { leaves } from "../trace/expression";
import type { Labels } from "../trace/labels";
import { offset, placeOf, sizeOf, type Numbers } from "../trace/numbers";
import { keyOf, type Cell, type Step } from "../trace/step";
import type { Info, Trace } from "../trace/trace";
import { silenced, thrown } from "../trace/switches";
import { maskedBy, scaledBy, scalingOf, widthOf } from "../trace/whatif";
import { sliced } from "./slice";
import { whatIfsOf } from "./whatifs";
import {
  type Claim,
  type Divided,
  type Mattered,
  type Moment,
  type Outline,
  type Part,
  type Run,
  type WhatIf,
  type Why,
} from "./run";

/** A trace with a change made to it: what `Change` means. `seen` is told of every update. */
export function changed(trace: Trace, change: Change, seen: (trace: Trace) => void = () => {}): Trace {
  switch (change.kind) {
    case "edit":
      return trace.edit(change.cell, change.value);
    case "move":
      return trace.move(change.cell, change.value);
    case "pin":
      return trace.pin(change.step, change.value);
    case "hide":
      return trace.hide(change.word);
    case "switch":
      return thrown(trace, change.name, change.value);
    case "silence":
      return silenced(trace, change.layer, change.head);
    case "update": {
      let after = trace;
      for (let time = 0; time < (change.times ?? 1); time++) {
        after = after.update(change.rate, change.learns);
        seen(after);
      }
      return after;
    }
  }
}

/** The traces of a state's beginnings: so that a further change costs that change, and undo costs nothing. */
interface Beginning {
  change: Change | null;
  trace: Trace;
  moments: readonly Moment[];
}

const MOST_DEPENDENTS = 24;

export class LocalRun implements Run {
  readonly isLocal = true;
  readonly overview = null;
  readonly steps: ReadonlyMap<string, Outline>;
  readonly state: State;
  private readonly last: Beginning;
  private readonly kept = new Map<string, Explanation>();
  private compared: Differences | null | undefined;

  private constructor(
    private readonly source: Trace, // as it came, before any change
    readonly claims: readonly Claim[],
    state: State,
    private readonly beginnings: readonly Beginning[],
  ) {
    this.state = state;
    this.last = beginnings.at(-1)!;
    this.steps = new Map([...this.trace.steps].map(([name, step]) => [name, outlineOf(step)]));
  }

  static of(trace: Trace, claims: readonly Claim[], state: State): LocalRun {
    return new LocalRun(trace, claims, { ...state, changes: [] }, [begin(trace, state)]).to(state);
  }

  get trace(): Trace {
    return this.last.trace;
  }
  get info(): Info {
    return this.trace.info;
  }
  get labels(): Labels {
    return this.trace.labels;
  }
  get moments(): readonly Moment[] {
    return this.last.moments;
  }
  get parameters(): readonly string[] {
    return this.trace.parameters.map((step) => step.name);
  }

  read(name: string, at?: readonly (number | null)[]): Numbers | null {
    const step = this.trace.steps.get(name);
    if (!step) return null;
    return at ? sliced(step.value, at) : step.value;
  }

  measured(name: string, at?: readonly (number | null)[]): Numbers | null {
    const { value } = this.trace.step(name);
    return at ? sliced(value, at) : value;
  }

  flow(): FlowPicture | null {
    return this.trace.has("logits") ? this.trace.remembered(flowPicture) : null;
  }

  explanation(shown?: { layer: string; head: number }): Explanation | null {
    if (!this.trace.has("probabilities") || !this.trace.has("query")) return null;
    const key = shown ? `${shown.layer}.${shown.head}` : "";
    let found = this.kept.get(key);
    if (!found) this.kept.set(key, (found = explanation(this.trace, shown)));
    return found;
  }

  mattered(shown: { layer: string; head: number }): Mattered | null {
    return this.explanation(shown);
  }

  /** A cell of this run, or of another, which is known by a number that comes from there. */
  private part = (cell: Cell, run: string | null = null): Part => ({
    cell: run === null ? this.trace.addressOf(cell) : `${run}:${this.trace.addressOf(cell)}`,
    name: this.trace.nameOf(cell),
    value: cell.step.at(cell.at),
  });

  why(address: string, terms = 8): Why {
    const why = this.trace.why(address);
    const run = why.cell.run ? runOf(address) : null;
    const own = this.part(why.cell, run);
    const part = (cell: Cell): Part => this.part(cell, cell.run === why.cell.run ? run : own.cell);
    return toldOf(why, () => own, part, terms);
  }

  dependents(address: string): { cells: Part[]; more: number } {
    const cell = this.trace.cell(address);
    const wanted = keyOf(cell);
    const readers = [...this.trace.steps.values()].filter((step) => step.inputs.includes(cell.step));
    const found = readers.flatMap((step) =>
      placesOf(step)
        .filter((at) => reads(step, at).has(wanted))
        .map((at) => ({ step, at })),
    );
    return {
      cells: found.slice(0, MOST_DEPENDENTS).map((cell) => this.part(cell)),
      more: Math.max(0, found.length - MOST_DEPENDENTS),
    };
  }

  original(name: string, at: readonly number[]): number | undefined {
    if (!this.trace.edits.some((edit) => edit.step === name)) return undefined;
    const [now, before] = [this.trace.steps.get(name), this.trace.steps.get(`${name}.original`)];
    if (!now || !before) return undefined;
    const was = before.at(at);
    return was === now.value.data[offset(now.shape, at)] ? undefined : was;
  }

  differences(): Differences | null {
    if (this.compared === undefined) this.compared = finiteDifferences(this.trace);
    return this.compared;
  }

  divided(layer: string): Divided | null {
    const scaled = this.trace.steps.get(`${layer}.scaled`);
    const scaling = scaled && scalingOf(this.trace);
    return scaling ? { scaling, width: widthOf(this.trace, scaled) } : null;
  }

  /** `isAsked`: each with what it would do to the loss as things are now; nothing is learned again for that. */
  whatIfs(isAsked = false): WhatIf[] {
    const { trace } = this;
    const measured = isAsked ? trace.measure("instead") : null;
    const scaling = scalingOf(trace);
    const scaled = trace.steps.get("layer0.scaled");
    const width =
      scaling && scaled && this.source.has("layer0.scaled")
        ? widthOf(this.source, this.source.step("layer0.scaled"))
        : null;
    return whatIfsOf(this, scaling, width, (name) => {
      const change = measured?.get(`instead.${name}.change`);
      return change ? { cell: change.name, value: change.value.data[0]! } : null;
    });
  }

  fetched(): null {
    return null;
  }

  to(state: State): LocalRun {
    checkChanges(state.changes);
    const still = patience();
    const same =
      state.mask === this.state.mask &&
      state.scaling === this.state.scaling &&
      JSON.stringify(state.compared) === JSON.stringify(this.state.compared);
    const beginnings = same ? [...this.beginnings] : [begin(this.source, state)];
    const shared = state.changes.findIndex((change, i) => beginnings[i + 1]?.change !== change);
    const further = shared < 0 ? null : continued(beginnings[shared + 1]?.change, state.changes[shared]!);
    const on = further && beginnings[shared + 1]!;
    beginnings.length = Math.min(beginnings.length, (shared < 0 ? state.changes.length : shared) + 1);
    for (const change of state.changes.slice(beginnings.length - 1)) {
      const isFurther = !!on && beginnings.length === shared + 1;
      const before = isFurther ? on : beginnings.at(-1)!;
      let { moments } = before;
      still();
      const trace = changed(before.trace, isFurther ? further : change, (after) => {
        still();
        if (!moments.length) moments = [momentOf(before.trace, 0)];
        moments = [...moments, momentOf(after, moments.at(-1)!.update + 1)];
      });
      beginnings.push({ change, trace, moments });
    }
    return new LocalRun(this.source, this.claims, state, beginnings);
  }
}

/** The arithmetic of a number, as the page reads it; who names its cells is told. */
export const toldOf = (why: Arithmetic, own: (cell: Cell) => Part, part: (cell: Cell) => Part, terms: number): Why => ({
  ...own(why.cell),
  step: why.cell.step.name,
  at: [...why.cell.at],
  text: why.text(4, terms),
  latex: why.latex(4, terms),
  numpy: why.numpy(),
  symbols: why.symbols(),
  given: why.isGiven,
  parts: why.cells(terms).map(part),
});

/** What is left of a change that goes on where another one ended: the same updates, and more of them. */
function continued(before: Change | null | undefined, change: Change): Change | null {
  if (before?.kind !== "update" || change.kind !== "update") return null;
  const [done, times] = [before.times ?? 1, change.times ?? 1];
  const isSame = before.rate === change.rate && String(before.learns) === String(change.learns) && times > done;
  return isSame ? { ...change, times: times - done } : null;
}

const outlineOf = ({ name, axes, shape, op, inputs }: Step): Outline => ({
  name,
  axes,
  shape,
  kind: op.kind,
  inputs: inputs.map((i) => i.name),
});

function begin(source: Trace, state: State): Beginning {
  let trace = source;
  if (state.mask && state.mask !== source.info.mask) trace = maskedBy(trace, state.mask);
  if (state.scaling && state.scaling !== scalingOf(source)) trace = scaledBy(trace, state.scaling);
  if (state.compared) trace = trace.comparing(...state.compared);
  return { change: null, trace, moments: [] };
}

const momentOf = (trace: Trace, update: number): Moment => ({
  update,
  loss: trace.number("loss"),
  predicted: trace.predicted,
});
const placesOf = (step: Step): number[][] =>
  Array.from({ length: sizeOf(step.shape) }, (_, i) => placeOf(step.shape, i));
const reads = (step: Step, at: readonly number[]): Set<string> =>
  new Set(leaves(step.op.arithmetic(at, step.inputs)).map((leaf) => keyOf(leaf.cell)));
