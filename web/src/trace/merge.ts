/** Several axes laid end to end as one, and the reverse: heads side by side, a joined vector cut into heads again. */
import type { Tree } from "./expression";
import { laidOut, offset, placeOf, placesAlong, sizeOf, strideAlong, zeros, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { indexOf, parse, placed, shapeOf, sizesOf } from "./spec";
import type { Step } from "./step";

const without = (axes: string, others: string): string =>
  [...axes].filter((letter) => !others.includes(letter)).join("");

/** "HQD->QJ": result[q, j] = array[h, q, d] with j = h·(size of D) + d. J is all that the result does not keep. */
export class Merge implements Operation {
  readonly kind = "merge";
  readonly axes: string;
  private readonly from: string;
  private readonly joined: string;
  private readonly parts: string;

  constructor(readonly spec: string) {
    const { inputs, output } = parse(spec);
    this.from = inputs[0]!;
    this.axes = output;
    this.joined = without(output, this.from);
    this.parts = without(this.from, output);
    if (inputs.length !== 1 || this.joined.length !== 1 || !this.parts)
      throw new Error(`"${spec}" is not of the form "HQD->QJ", one new letter for those that are merged`);
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    const sizes = sizesOf(this.spec, shapes);
    return shapeOf(this.axes, sizes.set(this.joined, sizeOf(shapeOf(this.parts, sizes))));
  }

  forward([array]: readonly Numbers[]): Numbers {
    const order = this.axes.replace(this.joined, this.parts);
    const lengths = shapeOf(order, sizesOf(this.spec, [array!.shape]));
    const data = laidOut(array!.data, lengths, strideAlong(order, this.from, array!.shape));
    return { shape: this.shape([array!.shape]), data, dtype: array!.dtype };
  }

  backward(step: Step, gradient: Step): (New | null)[] {
    const sizes = sizesOf(this.spec, [step.inputs[0]!.shape]);
    const parts = [...this.parts].map((letter): [string, number] => [letter, sizes.get(letter)!]);
    return [{ op: new Split(`${this.axes}->${this.from}`, parts), inputs: [gradient] }];
  }

  arithmetic(at: readonly number[], [input]: readonly Step[]): Tree {
    const place = placed(this.axes, at);
    const shape = shapeOf(this.parts, sizesOf(this.spec, [input!.shape]));
    placeOf(shape, place.get(this.joined)!).forEach((position, i) => place.set(this.parts[i]!, position));
    return input!.leaf(indexOf(this.from, place));
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec };
  }
}

/** The reverse of Merge: "QJ->HQD" with the sizes of the axes that J is cut into, the slowest first. */
export class Split implements Operation {
  readonly kind = "split";
  readonly axes: string;
  private readonly from: string;
  private readonly cut: string;

  constructor(
    readonly spec: string,
    readonly sizes: readonly [string, number][],
  ) {
    const { inputs, output } = parse(spec);
    this.from = inputs[0]!;
    this.axes = output;
    this.cut = without(this.from, output);
    const parts = sizes.map(([letter]) => letter).join("");
    if (inputs.length !== 1 || this.cut.length !== 1 || !parts || parts !== without(output, this.from))
      throw new Error(`"${spec}" is not of the form "QJ->HQD" with sizes of the new axes, in their order`);
  }

  private get lengths(): number[] {
    return this.sizes.map(([, size]) => size);
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    const sizes = sizesOf(this.spec, shapes, this.sizes);
    if (sizes.get(this.cut) !== sizeOf(this.lengths))
      throw new Error(
        `"${this.spec}": an axis of ${sizes.get(this.cut)!} cells cannot be cut into ${this.lengths.join(" × ")}`,
      );
    return shapeOf(this.axes, sizes);
  }

  forward([array]: readonly Numbers[]): Numbers {
    const result = zeros(this.shape([array!.shape]), array!.dtype);
    const order = this.from.replace(this.cut, this.sizes.map(([letter]) => letter).join(""));
    const lengths = shapeOf(order, sizesOf(this.spec, [array!.shape], this.sizes));
    placesAlong(lengths, strideAlong(order, this.axes, result.shape)).forEach((to, cell) => {
      result.data[to] = array!.data[cell]!;
    });
    return result;
  }

  backward(_step: Step, gradient: Step): (New | null)[] {
    return [{ op: new Merge(`${this.axes}->${this.from}`), inputs: [gradient] }];
  }

  arithmetic(at: readonly number[], [input]: readonly Step[]): Tree {
    const place = placed(this.axes, at);
    const parts = this.sizes.map(([letter]) => place.get(letter)!);
    return input!.leaf(indexOf(this.from, place.set(this.cut, offset(this.lengths, parts))));
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec, sizes: this.sizes };
  }
}
