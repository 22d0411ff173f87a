/** What every kind of operation knows: its value, its gradient as further steps, the arithmetic of one cell. */
import type { Tree } from "./expression";
import type { Numbers } from "./numbers";
import type { Step } from "./step";

/** A step still without a name: an operation on steps, or on further new ones. */
export interface New {
  op: Operation;
  inputs: (Step | New)[];
  name?: string; // what it is called when it stands inside another new one; else "terms"
}

export interface Operation {
  readonly kind: string;
  /** The letters of the result's axes. */
  readonly axes: string;
  shape(shapes: readonly (readonly number[])[]): readonly number[];
  forward(arrays: readonly Numbers[]): Numbers;
  /** For each input, the step that is its share of the blame; null where no gradient goes. */
  backward(step: Step, gradient: Step): (New | null)[];
  /** The same where a curve counts as the share of its input that it lets through, held as it was. */
  backwardHoldingGates?(step: Step, gradient: Step): (New | null)[];
  /** How the cell at this place came about. */
  arithmetic(at: readonly number[], inputs: readonly Step[]): Tree;
  /** This operation for a file: names and numbers, never code; arrays are kept apart. */
  data(): Record<string, unknown>;
}
