/** A value that is simply there: a parameter, the data, a constant. */
import { tree, type Tree } from "./expression";
import { cellOf, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";

/** Parameters learn; inputs have a gradient but do not learn; constants (masks, ids, angles) have none. */
export type Role = "parameter" | "input" | "constant";

export class Given implements Operation {
  readonly kind = "given";

  constructor(
    readonly numbers: Numbers,
    readonly axes: string,
    readonly role: Role = "input",
  ) {
    if (numbers.shape.length !== axes.length)
      throw new Error(
        `an array of shape ${numbers.shape.join(" × ")} came with the axes "${axes}"; one letter per axis`,
      );
  }

  shape(): readonly number[] {
    return this.numbers.shape;
  }

  forward(): Numbers {
    return this.numbers;
  }

  backward(): (New | null)[] {
    return [];
  }

  arithmetic(at: readonly number[]): Tree {
    return tree(cellOf(this.numbers, at));
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, letters: this.axes, role: this.role };
  }
}
