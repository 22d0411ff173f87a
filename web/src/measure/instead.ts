/** What each switch would do to the loss: another scaling or mask, keys that are values. Numbers of other runs. */
import { Elsewhere } from "../trace/elsewhere";
import { FormulaMap } from "../trace/map";
import { Step } from "../trace/step";
import { SWITCHES, thrown } from "../trace/switches";
import type { OneMore, Trace } from "../trace/trace";

/** `instead.none.loss` is the loss if scores were not divided, `instead.none.change` its difference from ours. */
export function* insteadSteps(trace: Trace): Iterable<Step> {
  if (!trace.has("loss")) return;
  const loss = trace.step("loss");
  for (const { name, fits, takes } of SWITCHES) {
    if (takes || !fits(trace)) continue;
    const op = new Elsewhere("loss", "", "", [["switch", name, [], null]], (change) =>
      trace.withOneMore(change, switched),
    );
    const other = new Step(`instead.${name}.loss`, op, [loss]);
    yield* [other, new Step(`instead.${name}.change`, new FormulaMap("subtract", ",->"), [other, loss])];
  }
}

/** The run after a switch is thrown. */
const switched = (trace: Trace, [, name]: OneMore): Trace => thrown(trace, name);
