/** What each switch would do to the loss: another scaling, another mask, no bias by distance. Numbers of other runs. */
import { Elsewhere } from "../trace/elsewhere";
import { FormulaMap } from "../trace/map";
import { sizeOf } from "../trace/numbers";
import { Step } from "../trace/step";
import type { OneMore, Trace } from "../trace/trace";
import { maskedBy, scaledBy, scalingOf } from "../trace/whatif";

/** What is switched, in words what is different there, the run that it leads to, and where it can be thrown. */
interface Switch {
  name: string;
  says: string;
  run: (trace: Trace) => Trace;
  fits: (trace: Trace) => boolean;
}

/** `instead.none.loss` is the loss if scores were not divided, `instead.none.change` its difference from ours. */
export function* insteadSteps(trace: Trace): Iterable<Step> {
  if (!trace.has("loss")) return;
  const loss = trace.step("loss");
  for (const { name, fits } of SWITCHES) {
    if (!fits(trace)) continue;
    const op = new Elsewhere("loss", "", "", [["switch", name, [], null]], (change) =>
      trace.withOneMore(change, switched),
    );
    const other = new Step(`instead.${name}.loss`, op, [loss]);
    yield* [other, new Step(`instead.${name}.change`, new FormulaMap("subtract", ",->"), [other, loss])];
  }
}

/** The run after a switch is thrown. */
function switched(trace: Trace, [, name]: OneMore): Trace {
  const { run, says } = SWITCHES.find((one) => one.name === name)!;
  return run(trace).saying(says);
}

export const biasOf = (trace: Trace): Step | undefined =>
  trace.forward.find((step) => /^layer\d+\.bias$/.test(step.name));

const isScaled = (trace: Trace): boolean => scalingOf(trace) !== null;
const isMasked = (trace: Trace): boolean => trace.has("visible");
const hasBias = (trace: Trace): boolean => biasOf(trace)?.value.data.some((value) => value !== 0) ?? false;
const lacksBias = (trace: Trace): boolean => {
  const bias = biasOf(trace);
  return !!bias && trace.has(`${bias.name}.original`) && !hasBias(trace);
};
function unbiased(trace: Trace): Trace {
  const { name, shape } = biasOf(trace)!;
  return trace.pin(name, new Float64Array(sizeOf(shape)));
}
function biased(trace: Trace): Trace {
  const { name } = biasOf(trace)!;
  return trace.pin(name, trace.array(`${name}.original`).data);
}

const SWITCHES: readonly Switch[] = [
  { name: "root", says: "if scores are divided by √d", run: (trace) => scaledBy(trace, "root"), fits: isScaled },
  { name: "width", says: "if scores are divided by d", run: (trace) => scaledBy(trace, "width"), fits: isScaled },
  { name: "none", says: "if scores are not divided", run: (trace) => scaledBy(trace, "none"), fits: isScaled },
  { name: "causal", says: "if words read those before", run: (trace) => maskedBy(trace, "causal"), fits: isMasked },
  { name: "both", says: "if words read all words", run: (trace) => maskedBy(trace, "both"), fits: isMasked },
  { name: "biased", says: "with the bias by distance", run: biased, fits: lacksBias },
  { name: "unbiased", says: "without the bias by distance", run: unbiased, fits: hasBias },
];
