/** What following the gradient once does: the run after one update, as numbers of another run. */
import { Elsewhere } from "../trace/elsewhere";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { layerOf, withoutLayer } from "../trace/names";
import { numbers } from "../trace/numbers";
import { Step } from "../trace/step";
import type { OneMore, Trace } from "../trace/trace";

const SEEN = ["loss", "probabilities", "weights"]; // of the run after the update
const constant = (name: string, value: number): Step => new Step(name, new Given(numbers([value], []), "", "constant"));

const update = (trace: Trace): OneMore => ["update", "", [], trace.remembered(chosenRate)];

/** `after.loss`, `after.probabilities`, `layer0.after.weights`: at the rate `after.rate`. */
export function* afterSteps(trace: Trace): Iterable<Step> {
  yield constant("after.rate", trace.remembered(chosenRate));
  for (const step of trace.forward) {
    const [layer, name] = [layerOf(step.name), withoutLayer(step.name)];
    if (!SEEN.includes(name)) continue;
    const op = new Elsewhere(step.name, step.axes, "", [update(trace)], trace.withOneMore);
    yield new Step(`${layer ? `${layer}.` : ""}after.${name}`, op, [step]);
  }
}

/** The run after the update that is measured. */
export const afterUpdate = (trace: Trace): Trace => trace.withOneMore(update(trace));

/** A power of ten, at most 0.1, at which the loss should fall by no more than half of itself.
 *
 * One update lowers the loss by about rate · gradient², as long as that is little.
 */
function chosenRate(trace: Trace): number {
  const [loss, gradient] = [trace.number("loss"), trace.number("blame")];
  const most = gradient ? (0.5 * loss) / gradient ** 2 : 0.1;
  return most > 0 && most < 0.1 ? 10 ** Math.floor(Math.log10(most)) : 0.1;
}

/** `guessing`: the loss of somebody who gives every word the same probability, ln of how many there are. */
export function guessingSteps(trace: Trace): Step[] {
  const words = constant("guessing.words", trace.step("logits").shape.at(-1)!);
  return [words, new Step("guessing", new FormulaMap("logarithm", "->"), [words])];
}
