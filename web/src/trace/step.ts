/** One node of the graph: a named operation on other steps, computed when first asked and then kept. */
import type { Leaf } from "./expression";
import { cellOf, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import type { Trace } from "./trace";

/** Never changed once made, so that traces may share it: an edit makes new steps and never touches old ones. */
export class Step {
  private kept: Numbers | undefined;
  private size: readonly number[] | undefined;

  constructor(
    readonly name: string,
    readonly op: Operation,
    readonly inputs: readonly Step[] = [],
  ) {}

  get axes(): string {
    return this.op.axes;
  }

  get shape(): readonly number[] {
    return (this.size ??= this.op.shape(this.inputs.map((input) => input.shape)));
  }

  get value(): Numbers {
    return (this.kept ??= this.op.forward(this.inputs.map((input) => input.value)));
  }

  /** Take over numbers that were computed elsewhere, so that they are the same to the last digit. */
  remember(value: Numbers): void {
    this.kept ??= value;
  }

  at(place: readonly number[]): number {
    return cellOf(this.value, place);
  }

  leaf(place: readonly number[]): Leaf {
    return { kind: "leaf", cell: { step: this, at: place }, value: this.at(place) };
  }

  /** The same step under another name, with what was computed already. */
  renamed(name: string): Step {
    const step = new Step(name, this.op, this.inputs);
    step.kept = this.kept;
    step.size = this.size;
    return step;
  }
}

/** The address of one number. Made on demand: a trace of a million numbers holds none of these. */
export interface Cell {
  readonly step: Step;
  readonly at: readonly number[];
  readonly run?: Trace | undefined; // the one it is a cell of, where that is not the one at hand
}

export const keyOf = ({ step, at, run }: Cell): string =>
  `${step.name}[${at.join(",")}]${run ? ` (${run.lastChange})` : ""}`;

/** The steps that a nameless one stands for, the last of them called `name`. */
export function named(made: New, name: string): Step[] {
  const steps: Step[] = [];
  const inputs = made.inputs.map((input) => {
    if (input instanceof Step) return input;
    const inner = input.name ?? "terms";
    steps.push(...named(input, inner.includes(".") ? inner : `${name}.${inner}`));
    return steps.at(-1)!;
  });
  return [...steps, new Step(name, made.op, inputs)];
}
