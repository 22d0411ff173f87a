/** Multiply and add over named axes: linear maps, q·k, mixing, sums, means, and all their gradients. */
import { over, sum, times, tree, type Tree } from "./expression";
import { laidOut, numbers, placeOf, placesAlong, sizeOf, strideAlong, zeros, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { addProduct } from "./product";
import { indexOf, parse, placed, shapeOf, sizesOf, type Sizes } from "./spec";
import type { Step } from "./step";

const LARGE = 2048; // products from which on it pays to lay the arrays out for products of matrices
const SMALL = 64; // and products in each of these up to which it does not

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
    if (arrays.length === 2 && this.multiply(result, arrays as [Numbers, Numbers], sizes)) return result;
    const letters = output + summedOver(output, sizes).join("");
    const lengths = shapeOf(letters, sizes);
    const [a, b] = arrays.map(({ data, shape }, i) => laidOut(data, lengths, strideAlong(letters, inputs[i]!, shape)));
    const { data } = result;
    const terms = a!.length / data.length;
    for (let cell = 0, at = 0; cell < data.length; cell++) {
      let sum = 0;
      if (b) for (const end = at + terms; at < end; at++) sum += a![at]! * b[at]!;
      else for (const end = at + terms; at < end; at++) sum += a![at]!;
      data[cell] = sum;
    }
    if (this.factor !== 1) for (let i = 0; i < result.data.length; i++) result.data[i]! *= this.factor;
    return result;
  }

  /** A large contraction as products of matrices, one for each place along the axes that all three arrays have.
   *
   * False where it is small, or no such product: an axis that one array alone has is summed, or repeated.
   */
  private multiply(result: Numbers, [a, b]: readonly [Numbers, Numbers], sizes: Sizes): boolean {
    const { inputs, output } = parse(this.spec);
    const [inA, inB] = inputs as [string, string];
    const all = [...sizes.keys()];
    if (sizeOf(shapeOf(all.join(""), sizes)) < LARGE) return false;
    if (all.some((letter) => +inA.includes(letter) + +inB.includes(letter) + +output.includes(letter) < 2))
      return false;
    const of = (a: boolean, b: boolean, out: boolean): string =>
      all
        .filter((letter) => inA.includes(letter) === a && inB.includes(letter) === b && output.includes(letter) === out)
        .join("");
    const [each, rows, columns] = [of(true, true, true), of(true, false, true), of(false, true, true)];
    const summed = of(true, true, false);
    if (sizeOf(shapeOf(rows + columns + summed, sizes)) < SMALL) return false;
    const along = (letters: string, axes: string, { shape }: Numbers): Int32Array =>
      placesAlong(shapeOf(letters, sizes), strideAlong(letters, axes, shape));
    const layout = {
      rows: along(rows, inA, a),
      columns: along(columns, inB, b),
      summedA: along(summed, inA, a),
      summedB: along(summed, inB, b),
      resultRows: along(rows, output, result),
      resultColumns: along(columns, output, result),
    };
    const begins = [along(each, output, result), along(each, inA, a), along(each, inB, b)];
    const [ofA, ofB] = [a.data, b.data];
    for (let i = 0; i < begins[0]!.length; i++)
      addProduct(result.data, begins[0]![i]!, ofA, begins[1]![i]!, ofB, begins[2]![i]!, layout);
    if (this.factor !== 1) for (let i = 0; i < result.data.length; i++) result.data[i]! *= this.factor;
    return true;
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
