/** One registered formula per cell, inputs broadcast by axis name: add, scale, hide, exp, divide, activate, update. */
import { Contract } from "./contract";
import { tree, type Tree } from "./expression";
import { blameOf, formula, type Blame, type Formula } from "./recipe";
import { laidOut, strideAlong, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import { indexOf, parse, placed, shapeOf, sizesOf } from "./spec";
import type { Step } from "./step";

export class FormulaMap implements Operation {
  readonly kind = "map";

  constructor(
    readonly formula: string,
    readonly spec: string,
    readonly constants: readonly number[] = [],
  ) {
    const wanted = named(this).constants;
    if (constants.length !== wanted)
      throw new Error(`the formula ${this.formula} takes ${wanted} constants, ${constants.length} came`);
    const { inputs, output } = parse(spec);
    if (inputs.some((axes) => [...axes].some((letter) => !output.includes(letter))))
      throw new Error(`"${spec}": a formula keeps every axis; sum afterwards with Contract`);
  }

  get axes(): string {
    return parse(this.spec).output;
  }

  shape(shapes: readonly (readonly number[])[]): readonly number[] {
    return shapeOf(this.axes, sizesOf(this.spec, shapes));
  }

  forward(arrays: readonly Numbers[]): Numbers {
    const { inputs, output } = parse(this.spec);
    const shape = this.shape(arrays.map((array) => array.shape));
    const given = arrays.map(({ data, shape: own }, i) => laidOut(data, shape, strideAlong(output, inputs[i]!, own)));
    return { shape, data: named(this).compute(given, this.constants), dtype: "float64" };
  }

  backward(step: Step, gradient: Step): (New | null)[] {
    const { inputs } = parse(this.spec);
    return inputs.map((_, position) => this.blame(position, blameOf(named(this), position), step, gradient));
  }

  backwardHoldingGates(step: Step, gradient: Step): (New | null)[] {
    const { gate } = named(this);
    return gate ? [this.blame(0, gate, step, gradient)] : this.backward(step, gradient);
  }

  private blame(position: number, rule: Blame | null, step: Step, gradient: Step): New | null {
    const { inputs: letters, output } = parse(this.spec);
    if (!rule) return null;
    const axes = letters[position]!;
    if (rule.formula === "same" && axes !== output)
      return { op: new Contract(`${output}->${axes}`), inputs: [gradient] };
    const operands = rule.of.map((name): [Step, string] =>
      name === "g" ? [gradient, output] : name === "y" ? [step, output] : [step.inputs[name]!, letters[name]!],
    );
    const spec = `${operands.map(([, axes]) => axes).join(",")}->${output}`;
    const op = new FormulaMap(rule.formula, spec, rule.withConstants ? this.constants : []);
    const cellwise: New = { op, inputs: operands.map(([step]) => step) };
    // an input that was broadcast is blamed for every cell it served
    return axes === output ? cellwise : { op: new Contract(`${output}->${axes}`), inputs: [cellwise] };
  }

  arithmetic(at: readonly number[], inputs: readonly Step[]): Tree {
    const { inputs: letters, output } = parse(this.spec);
    const place = placed(output, at);
    const leaves = inputs.map((input, i) => input.leaf(indexOf(letters[i]!, place)));
    return named(this).show([...leaves, ...this.constants.map(tree)]);
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, formula: this.formula, spec: this.spec, constants: this.constants };
  }
}

const named = (map: FormulaMap): Formula => formula(map.formula);
