/** What the model would say if it stopped after a layer: the logit lens (nostalgebraist 2020), as steps.
 *
 * The model's own end (norm, vocabulary, softmax) is repeated on the stream of every layer, as in
 * `layer2.says.probabilities`.
 */
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { streams } from "./streams";

/** The end of the model after each height of the stream but the last: there it is the model's own. */
export function saysSteps(trace: Trace): Step[] {
  const heights = streams(trace);
  const last = heights.at(-1)?.[1];
  if (!last) return [];
  const end = endOf(trace, last);
  return heights
    .slice(0, -1)
    .filter(([, stream]) => String(stream.shape) === String(last.shape))
    .flatMap(([name, stream]) => repeated(end, last, stream, `${name}.says`));
}

/** The same steps once more, reading another one, under names of their own. */
function repeated(steps: readonly Step[], old: Step, instead: Step, prefix: string): Step[] {
  const put = new Map([[old, instead]]);
  for (const step of steps) {
    const inputs = step.inputs.map((input) => put.get(input) ?? input);
    put.set(step, new Step(`${prefix}.${step.name}`, step.op, inputs));
  }
  return steps.map((step) => put.get(step)!);
}

/** The steps after the last layer. */
function endOf(trace: Trace, last: Step): Step[] {
  const after = new Set([last]);
  return trace.forward.filter((step) => step.inputs.some((input) => after.has(input)) && after.add(step));
}
