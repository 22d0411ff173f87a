/** What softmax's exponent is shifted by, so that it neither overflows nor vanishes. */
import { over, round, roundHalfEven, times, tree, type Tree } from "./expression";
import { placeOf, placesAlong, strideAlong, zeros, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { parse, placed, shapeOf, sizesOf } from "./spec";
import type { Step } from "./step";

const GRID = 32;

/** The largest score, rounded to a multiple of 32: zero for scores of ordinary size, so that toys read e^0.7071. */
export class Peak implements Operation {
  readonly kind = "peak";

  constructor(readonly spec: string) {}

  get axes(): string {
    return parse(this.spec).output;
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    return shapeOf(this.axes, sizesOf(this.spec, shapes));
  }

  forward([scores]: readonly Numbers[]): Numbers {
    const { inputs: [axes], output } = parse(this.spec); // prettier-ignore
    const result = zeros(this.shape([scores!.shape]));
    result.data.fill(-Infinity);
    const { data } = result;
    placesAlong(scores!.shape, strideAlong(axes!, output, result.shape)).forEach((to, cell) => {
      data[to] = Math.max(data[to]!, scores!.data[cell]!);
    });
    result.data.forEach(
      (largest, i) => (result.data[i] = Number.isFinite(largest) ? GRID * roundHalfEven(largest / GRID) : 0),
    );
    return result;
  }

  backward(): (New | null)[] {
    return [null];
  }

  arithmetic(at: readonly number[], [scores]: readonly Step[]): Tree {
    const { inputs: [axes], output } = parse(this.spec); // prettier-ignore
    const here = placed(output, at);
    let best: number[] | null = null;
    for (let cell = 0; cell < scores!.value.data.length; cell++) {
      const along = placeOf(scores!.shape, cell);
      const place = placed(axes!, along);
      if ([...here].every(([letter, p]) => place.get(letter) === p) && (!best || scores!.at(along) > scores!.at(best)))
        best = along;
    }
    if (!best || !Number.isFinite(scores!.at(best))) return tree(0);
    return times(tree(GRID), round(over(scores!.leaf(best), tree(GRID))));
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec };
  }
}
