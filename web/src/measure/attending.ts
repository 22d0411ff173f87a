/** How each head reads: the size of what every word sends, how spread the reading is, how far back, who is read. */
import { Contract } from "../trace/contract";
import { unedited } from "../trace/edits";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { layerOf } from "../trace/names";
import { zeros } from "../trace/numbers";
import { parse } from "../trace/spec";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

/** For every layer the step that mixes values by weights; none where it was replaced by hand. */
export function mixing(trace: Trace): Map<string, Step> {
  const found = new Map<string, Step>();
  for (const step of trace.forward) {
    const layer = layerOf(step.name);
    if (!layer || step.name !== `${layer}.context`) continue;
    const mix = unedited(step);
    if (mix.inputs.length === 2) found.set(layer, mix);
  }
  return found;
}

/** The axes of weights and values as the mixing step calls them: HQK and HKD. */
export function lettersOf(mix: Step): { weights: string; values: string } {
  const [weights, values] = parse((mix.op as Contract).spec).inputs;
  return { weights: weights!, values: values! };
}

/** `sent` = weight · ‖value‖: the length of what a word sends to another. */
export function* sentSteps(trace: Trace): Iterable<Step> {
  for (const [layer, mix] of mixing(trace)) {
    const [weights, values] = mix.inputs as [Step, Step];
    const { weights: axes, values: own } = lettersOf(mix);
    const row = own.slice(0, -1);
    const square = new Step(`${layer}.value_square`, new Contract(`${own},${own}->${row}`), [values, values]);
    const size = new Step(`${layer}.value_size`, new FormulaMap("square_root", `${row}->${row}`), [square]);
    const weight = new Step(`${layer}.weight_size`, new FormulaMap("size", `${axes}->${axes}`), [weights]);
    yield* [square, size, weight];
    yield new Step(`${layer}.sent`, new FormulaMap("product", `${axes},${row}->${axes}`), [weight, size]);
  }
}

/** `entropy` = Σ −weight · ln weight over a row, in nats: 0 when one word is read, ln n when n are read alike. */
export function* entropySteps(trace: Trace): Iterable<Step> {
  for (const [layer, mix] of mixing(trace)) {
    const { weights: axes } = lettersOf(mix);
    const terms = new Step(`${layer}.entropy.terms`, new FormulaMap("spread", `${axes}->${axes}`), [mix.inputs[0]!]);
    yield* [terms, new Step(`${layer}.entropy`, new Contract(`${axes}->${axes.slice(0, -1)}`), [terms])];
  }
}

/** `distance` = Σ weight · how many words lie between query and key: how far back (or ahead) a row reads. */
export function* distanceSteps(trace: Trace): Iterable<Step> {
  let apart: Step | null = null;
  for (const [layer, mix] of mixing(trace)) {
    const { weights: axes } = lettersOf(mix);
    const weights = mix.inputs[0]!;
    if (!apart) {
      const [queries, keys] = weights.shape.slice(-2) as [number, number];
      const { data, shape } = zeros([queries, keys]);
      data.forEach((_, cell) => (data[cell] = Math.abs(Math.floor(cell / keys) + keys - queries - (cell % keys))));
      apart = new Step("words_apart", new Given({ data, shape, dtype: "float64" }, axes.slice(-2), "constant"));
      yield apart;
    }
    const op = new Contract(`${axes},${axes.slice(-2)}->${axes.slice(0, -1)}`);
    yield new Step(`${layer}.distance`, op, [weights, apart]);
  }
}

/** `received` = Σ weight over a column: how much all words together read a word. */
export function* receivedSteps(trace: Trace): Iterable<Step> {
  for (const [layer, mix] of mixing(trace)) {
    const { weights: axes } = lettersOf(mix);
    yield new Step(`${layer}.received`, new Contract(`${axes}->${axes.slice(0, -2)}${axes.at(-1)!}`), [mix.inputs[0]!]);
  }
}
