/** One cell set by hand. The gradient of an edit is an edit: the cell's blame, set to zero. */
import { tree, type Tree } from "./expression";
import { offset, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import type { Step } from "./step";

export class Replace implements Operation {
  readonly kind = "replace";

  constructor(
    readonly axes: string,
    readonly at: readonly number[],
    readonly number: number,
  ) {}

  shape([shape]: readonly (readonly number[])[]): readonly number[] {
    return shape!;
  }

  forward([array]: readonly Numbers[]): Numbers {
    const data = Float64Array.from(array!.data);
    data[offset(array!.shape, this.at)] = this.number;
    return { ...array!, data };
  }

  backward(_step: Step, gradient: Step): (New | null)[] {
    return [{ op: new Replace(this.axes, this.at, 0), inputs: [gradient] }];
  }

  arithmetic(at: readonly number[], [input]: readonly Step[]): Tree {
    return this.isAt(at) ? tree(this.number) : input!.leaf(at);
  }

  isAt(at: readonly number[]): boolean {
    return this.at.every((position, axis) => position === at[axis]);
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, letters: this.axes, at: this.at, number: this.number };
  }
}
