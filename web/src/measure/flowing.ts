/** Flow as steps: what every vector carries to the margin, with attention, norms, gates and parameters held.
 *
 * A held run is affine in its words. So the margin splits exactly, at every height, into what the words carry there and
 * the biases that enter above: `layer3.flow[1,it,animal]` is what head 1 of layer 3 carried from "animal" to "it".
 */
import { carried } from "../trace/carried";
import { Contract } from "../trace/contract";
import { unedited } from "../trace/edits";
import { Given } from "../trace/given";
import { FLOW, isSum, type Reaches } from "../trace/holding";
import { FormulaMap } from "../trace/map";
import { layerOf } from "../trace/names";
import { zeros } from "../trace/numbers";
import type { Operation } from "../trace/operation";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { lettersOf, mixing } from "./attending";
import { addedInPlace, sources, TOKENS, type Source } from "./sources";
import { streams } from "./streams";

const WORDS = { embedding: "embeddings", position: "positions", segment: "segments" };

export interface Flowing {
  steps: readonly Step[];
  sources: readonly Source[];
}

export const flowSteps = (trace: Trace): readonly Step[] => trace.remembered(flowing).steps;

export const flowing = (trace: Trace): Flowing => new Builder(trace).built();

class Builder {
  private readonly steps: Step[] = [];
  private readonly toward: ReadonlyMap<string, Step>;
  private readonly reaches: Reaches;
  private readonly place: ReadonlyMap<Step, number>;
  private readonly names: ReadonlyMap<string, Step>;
  private readonly sources: readonly Source[];

  constructor(private readonly trace: Trace) {
    const { forward } = trace;
    this.toward = trace.measure("toward");
    this.reaches = FLOW.reaching(forward);
    this.place = new Map(forward.map((step, n) => [step, n]));
    this.names = new Map(forward.map((step) => [step.name, step]));
    const { found, made } = sources(forward, this.toward, FLOW, "flow", TOKENS);
    this.sources = found;
    this.steps.push(...made, ...addedInPlace(forward, this.toward, FLOW).map(([, bias]) => bias));
  }

  built(): Flowing {
    const heights = streams(this.trace).map(([, step]) => step);
    const mixes = mixing(this.trace);
    const above = heights.slice(1).flatMap((step, i) => this.layer(heights[i]!, step, mixes));
    for (const step of [...heights.slice(0, 1), ...above]) {
      const direction = this.direction(step);
      if (direction) this.make(`${step.name}.flow`, new Contract("TC,TC->T"), step, direction);
    }
    this.totals();
    return { steps: this.steps, sources: this.sources };
  }

  private make(name: string, op: Operation, ...inputs: Step[]): Step {
    const step = new Step(name, op, inputs);
    this.steps.push(step);
    return step;
  }

  private direction(step: Step): Step | undefined {
    return this.toward.get(`${step.name}.toward`);
  }

  /** What enters a layer's words: from attention, and from the MLP where there is one; the heights it leads to. */
  private layer(below: Step, above: Step, mixes: ReadonlyMap<string, Step>): Step[] {
    const layer = layerOf(above.name);
    const mlp = this.names.get(`${layer}.mlp`);
    if (mlp && this.isBeside(layer, mlp)) return this.beside(layer, below, above, mlp, mixes.get(layer));
    const middle = mlp ? this.afterAttention(layer) : above;
    const mix = mixes.get(layer);
    if (mix) this.edges(layer, mix, below);
    this.kept(`${layer}.flow.kept`, this.names.get(mlp ? `${layer}.middle` : `${layer}.residual`), below);
    if (!mlp) return [middle];
    this.kept(`${layer}.mlp.flow.kept`, this.names.get(`${layer}.residual`), middle);
    this.thought(mlp, middle);
    return [middle, above];
  }

  /** Whether the MLP reads what attention reads: one sum adds both. */
  private isBeside(layer: string, mlp: Step): boolean {
    const total = this.names.get(`${layer}.residual`);
    const attended = this.names.get(`${layer}.attended`);
    const added = total ? unedited(total).inputs : [];
    return added.includes(mlp) && !!attended && added.includes(attended);
  }

  private beside(layer: string, below: Step, above: Step, mlp: Step, mix: Step | undefined): Step[] {
    if (mix) this.edges(layer, mix, below);
    this.kept(`${layer}.flow.kept`, this.names.get(`${layer}.residual`), below);
    this.thinking(mlp, below);
    return [above];
  }

  /** The stream between attention and MLP: a sum, or its norm where norms come after, or just what was read. */
  private afterAttention(layer: string): Step {
    const added = this.names.get(`${layer}.middle`) ?? this.names.get(`${layer}.attended`)!;
    const named = [...this.names.values()];
    const at = (step: Step): number => this.place.get(step)!;
    const first = named.find(({ name }) => name.startsWith(`${layer}.hidden`) || name.startsWith(`${layer}.gate`))!;
    const normed = named.findLast((step) => step.name.startsWith(`${layer}.norm1.`) && at(step) > at(added));
    return normed && at(normed) < at(first) ? normed : added;
  }

  /** What the stream carries past a block: nothing where the block's result takes its place. */
  private kept(name: string, total: Step | undefined, below: Step): void {
    const base = total && unedited(total);
    const direction = base && this.direction(base);
    if (direction && isSum(base) && base.inputs.includes(below))
      this.make(name, new Contract("TC,TC->T"), below, direction);
  }

  /** What each head carries from every word to every word, and what it carries that is no word's. */
  private edges(layer: string, mix: Step, below: Step): void {
    const direction = this.direction(mix);
    if (!direction) return;
    const [weights, values] = mix.inputs as [Step, Step];
    const { weights: axes, values: own } = lettersOf(mix);
    const reading = new Contract(`${mix.axes},${own}->${axes}`);
    const { whole, made } = carried(values, below, this.reaches);
    this.steps.push(...made);
    let rest: Step | null = values;
    if (whole) {
      const read = this.make(`${layer}.flow.read`, reading, direction, whole);
      const edges = this.make(`${layer}.flow`, new FormulaMap("product", `${axes},${axes}->${axes}`), weights, read);
      this.make(`${layer}.flow.pairs`, new Contract(`${axes}->${axes.slice(1)}`), edges);
      const op = new FormulaMap("subtract", `${own},${own}->${own}`);
      rest = whole === values ? null : this.make(`${values.name}.constant`, op, values, whole);
    }
    if (!rest) return;
    const read = this.make(`${layer}.flow.constant.read`, reading, direction, rest);
    const op = new Contract(`${axes},${axes}->${mix.axes.slice(0, -1)}`);
    this.make(`${layer}.flow.constant`, op, weights, read);
  }

  /** What the MLP carries from a word to itself. */
  private thought(mlp: Step, below: Step): Step | null {
    const base = unedited(mlp);
    const direction = this.direction(base);
    const { whole, made } = carried(base, below, this.reaches);
    if (!direction || !whole) return null;
    this.steps.push(...made);
    return this.make(`${mlp.name}.flow`, new Contract("TC,TC->T"), whole, direction);
  }

  /** The same, and what it adds that belongs to no word: biases, those of a norm that it shares, numbers set. */
  private thinking(mlp: Step, below: Step): void {
    const base = unedited(mlp);
    const direction = this.direction(base);
    const whole = this.thought(mlp, below)?.inputs[0];
    if (!direction || whole === base) return;
    const op = new FormulaMap("subtract", "TC,TC->TC");
    const rest = whole ? this.make(`${mlp.name}.constant`, op, base, whole) : base;
    this.make(`${mlp.name}.flow.constant`, new Contract("TC,TC->T"), rest, direction);
  }

  /** `flow.words`, `flow.biases`, `flow.edits` and their sum, which is the margin. */
  private totals(): void {
    const ofKind = (kind: string): Source[] => this.sources.filter((source) => source.kind === kind);
    const apart = Object.entries(WORDS).flatMap(([kind, plural]) => {
      const steps = ofKind(kind).flatMap((source) => source.apart ?? []);
      return steps.length ? [this.sum(`flow.${plural}`, steps, "T")] : [];
    });
    const none = new Given(zeros([this.trace.labels.along("T")!.length]), "T", "constant");
    const words = apart.length ? this.sum("flow.words", apart, "T") : this.make("flow.words", none);
    const totals = [this.make("flow.words.sum", new Contract("T->"), words)];
    for (const [kind, name] of [["bias", "flow.biases"], ["edit", "flow.edits"]] as const) {
      const inAll = ofKind(kind).map((source) => source.inAll);
      if (inAll.length) totals.push(this.sum(name, inAll, ""));
    } // prettier-ignore
    this.sum("flow.sum", totals, "");
  }

  private sum(name: string, steps: readonly Step[], axes: string): Step {
    return this.make(name, new FormulaMap("add", `${steps.map(() => axes).join(",")}->${axes}`), ...steps);
  }
}
