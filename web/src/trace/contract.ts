/** Multiply and add over named axes: linear maps, q·k, mixing, sums, means, and all their gradients. */
import { over, sum, times, tree, type Tree } from "./expression";
import { numbers, placeOf, strideAlong, walk, zeros, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { indexOf, parse, placed, shapeOf, sizesOf, type Sizes } from "./spec";
import type { Step } from "./step";

/** result[out] = factor · Σ of the products over every axis that the result does not have.
 *
 * An axis that only the result has is a repetition, and needs its size in `sizes`.
 */
export class Contract implements Operation {
  readonly kind = "contract";

  constructor(
    readonly spec: string,
    readonly factor = 1,
    readonly sizes: readonly [string, number][] = [],
  ) {}

  get axes(): string {
    return parse(this.spec).output;
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    return shapeOf(this.axes, sizesOf(this.spec, shapes, this.sizes));
  }

  forward(arrays: readonly Numbers[]): Numbers {
    const { inputs, output } = parse(this.spec);
    if (arrays.length > 2) throw new Error(`"${this.spec}": a contraction takes one or two inputs`);
    const sizes = sizesOf(
      this.spec,
      arrays.map((array) => array.shape),
      this.sizes,
    );
    const result = zeros(shapeOf(output, sizes));
    const letters = output + summedOver(output, sizes).join("");
    const arraysAlong = inputs.map((axes, i) => strideAlong(letters, axes, arrays[i]!.shape));
    const along = [strideAlong(letters, output, result.shape), ...arraysAlong];
    const [a, b] = arrays.map((array) => array.data);
    const { data } = result;
    walk(shapeOf(letters, sizes), along, b
      ? (at) => (data[at[0]!]! += a![at[1]!]! * b[at[2]!]!)
      : (at) => (data[at[0]!]! += a![at[1]!]!)); // prettier-ignore
    if (this.factor !== 1) for (let i = 0; i < result.data.length; i++) result.data[i]! *= this.factor;
    return result;
  }

  /** The gradient for one input contracts the blame with all the other inputs. */
  backward(step: Step, gradient: Step): (New | null)[] {
    const { inputs, output } = parse(this.spec);
    return inputs.map((axes, position) => {
      const others = inputs.map((_, i) => i).filter((i) => i !== position);
      const letters = [output, ...others.map((i) => inputs[i]!)];
      const shape = step.inputs[position]!.shape;
      const lone = [...axes].map((letter, axis): [string, number] => [letter, shape[axis]!]);
      const repeated = lone.filter(([letter]) => !letters.some((other) => other.includes(letter)));
      const op = new Contract(`${letters.join(",")}->${axes}`, this.factor, repeated);
      return { op, inputs: [gradient, ...others.map((i) => step.inputs[i]!)] };
    });
  }

  arithmetic(at: readonly number[], inputs: readonly Step[]): Tree {
    const { inputs: letters, output } = parse(this.spec);
    const here = placed(output, at);
    const sizes = sizesOf(
      this.spec,
      inputs.map((i) => i.shape),
      this.sizes,
    );
    const summed = summedOver(output, sizes);
    const shape = summed.map((letter) => sizes.get(letter)!);
    const placeAt = (position: number): Map<string, number> => {
      const along = placeOf(shape, position);
      return new Map([...here, ...summed.map((letter, axis): [string, number] => [letter, along[axis]!])]);
    };
    const term = (position: number): Tree => {
      const place = placeAt(position);
      return inputs.map((input, i): Tree => input.leaf(indexOf(letters[i]!, place))).reduce(times);
    };
    if (!summed.length) return this.timesFactor(term(0));
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Array.from({ length: count }, (_, position) => {
      const place = placeAt(position);
      return inputs.reduce((product, input, i) => product * input.at(indexOf(letters[i]!, place)), 1);
    });
    return this.timesFactor(sum(numbers(values, [count]).data, term));
  }

  /** A factor of 1/n reads as a division by n: that is what a mean is. */
  private timesFactor(expression: Tree): Tree {
    const { factor } = this;
    if (factor === 1) return expression;
    const n = Math.abs(factor) > 1e-9 && Math.abs(factor) <= 1 ? Math.round(1 / factor) : 0;
    return n && 1 / n === factor ? over(expression, tree(n)) : times(tree(factor), expression);
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec, factor: this.factor, sizes: this.sizes };
  }
}

const summedOver = (output: string, sizes: Sizes): string[] =>
  [...sizes.keys()].filter((letter) => !output.includes(letter));
