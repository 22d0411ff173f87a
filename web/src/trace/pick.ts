/** Rows of a table by number, and the reverse: embedding, target, grouped heads, scatter of gradients. */
import { added, type Tree } from "./expression";
import { placeOf, placesAlong, strideAlong, strides, zeros, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { indexOf, parse, placed, shapeOf, sizesOf } from "./spec";
import type { Step } from "./step";

/** "IC,T->TC": result[t, c] = table[ids[t], c]. The picked axis is the one that the result does not have. */
export class Pick implements Operation {
  readonly kind = "pick";

  constructor(readonly spec: string) {}

  get axes(): string {
    return parse(this.spec).output;
  }

  get picked(): string {
    const { inputs, output } = parse(this.spec);
    return [...inputs[0]!].find((letter) => !output.includes(letter))!;
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    return shapeOf(this.axes, sizesOf(this.spec, shapes));
  }

  forward([table, ids]: readonly Numbers[]): Numbers {
    const { inputs: [tableAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    const result = zeros(this.shape([table!.shape, ids!.shape]), table!.dtype);
    const row = strides(table!.shape)[tableAxes!.indexOf(this.picked)]!;
    const [from, id] = [table!, ids!].map(({ shape }, i) =>
      placesAlong(result.shape, strideAlong(output, [tableAxes!, idsAxes!][i]!, shape)),
    );
    const [cells, numbers] = [table!.data, ids!.data];
    for (let cell = 0; cell < result.data.length; cell++)
      result.data[cell] = cells[from![cell]! + row * numbers[id![cell]!]!]!;
    return result;
  }

  backward(step: Step, gradient: Step): (New | null)[] {
    const { inputs: [tableAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    const rows = step.inputs[0]!.shape[tableAxes!.indexOf(this.picked)]!;
    const scatter = new Scatter(`${output},${idsAxes}->${tableAxes}`, rows);
    return [{ op: scatter, inputs: [gradient, step.inputs[1]!] }, null];
  }

  arithmetic(at: readonly number[], [table, ids]: readonly Step[]): Tree {
    const { inputs: [tableAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    const place = placed(output, at);
    place.set(this.picked, ids!.at(indexOf(idsAxes!, place)));
    return table!.leaf(indexOf(tableAxes!, place));
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec };
  }
}

/** The reverse of Pick: "TC,T->IC" adds values[t, c] to result[ids[t], c]; `rows` is the size of the new axis. */
export class Scatter implements Operation {
  readonly kind = "scatter";

  constructor(
    readonly spec: string,
    readonly rows: number,
  ) {}

  get axes(): string {
    return parse(this.spec).output;
  }

  get placedAxis(): string {
    const { inputs, output } = parse(this.spec);
    return [...output].find((letter) => !inputs.some((axes) => axes.includes(letter)))!;
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    return shapeOf(this.axes, sizesOf(this.spec, shapes, [[this.placedAxis, this.rows]]));
  }

  forward([values, ids]: readonly Numbers[]): Numbers {
    const { inputs: [valuesAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    const result = zeros(this.shape([values!.shape, ids!.shape]));
    const from = valuesAxes! + [...idsAxes!].filter((letter) => !valuesAxes!.includes(letter)).join("");
    const shape = shapeOf(from, sizesOf(this.spec, [values!.shape, ids!.shape]));
    const row = strides(result.shape)[output.indexOf(this.placedAxis)]!;
    const [to, value, id] = [
      strideAlong(from, output, result.shape),
      strideAlong(from, valuesAxes!, values!.shape),
      strideAlong(from, idsAxes!, ids!.shape),
    ].map((along) => placesAlong(shape, along));
    for (let cell = 0; cell < to!.length; cell++)
      result.data[to![cell]! + row * ids!.data[id![cell]!]!]! += values!.data[value![cell]!]!;
    return result;
  }

  backward(step: Step, gradient: Step): (New | null)[] {
    const { inputs: [valuesAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    return [{ op: new Pick(`${output},${idsAxes}->${valuesAxes}`), inputs: [gradient, step.inputs[1]!] }, null];
  }

  arithmetic(at: readonly number[], [values, ids]: readonly Step[]): Tree {
    const { inputs: [valuesAxes, idsAxes], output } = parse(this.spec); // prettier-ignore
    const place = placed(output, at);
    const row = place.get(this.placedAxis)!;
    place.delete(this.placedAxis);
    const terms: Tree[] = [];
    for (let position = 0; position < ids!.value.data.length; position++) {
      const along = placed(idsAxes!, placeOf(ids!.shape, position));
      const fits = [...along].every(([letter, p]) => !place.has(letter) || place.get(letter) === p);
      if (fits && ids!.value.data[position] === row)
        terms.push(values!.leaf(indexOf(valuesAxes!, new Map([...place, ...along]))));
    }
    return added(terms);
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, spec: this.spec, rows: this.rows };
  }
}
