/** One vector for a whole text: the mean of what its tokens end as, brought to length 1, as steps. */
import { Contract } from "../trace/contract";
import { unedited } from "../trace/edits";
import { FormulaMap } from "../trace/map";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

/** `pooled` is the mean of the last vectors, `sentence` the same at length 1. */
export function* sentenceSteps(trace: Trace): Iterable<Step> {
  const vectors = lastVectors(trace);
  if (!vectors) return;
  const along = vectors.axes.at(-1)!;
  const pooled = new Step("pooled", new Contract(`${vectors.axes}->${along}`, 1 / vectors.shape[0]!), [vectors]);
  const square = new Step("pooled.square", new Contract(`${along},${along}->`), [pooled, pooled]);
  const size = new Step("pooled.size", new FormulaMap("square_root", "->"), [square]);
  yield* [pooled, square, size, new Step("sentence", new FormulaMap("divide", `${along},->${along}`), [pooled, size])];
}

/** What every token ends as, before the part that guesses words makes something else of it. */
function lastVectors(trace: Trace): Step | null {
  const named = trace.steps.get("transform.product") ?? trace.steps.get("read");
  const [read] = named ? unedited(named).inputs : [];
  return read?.axes.length === 2 ? read : null;
}
