/** What a run may be set beside: each a whole state of its own, so that a link to it opens anywhere. */
import { changedBy, type Run } from "../run/run";
import type { Beside, State } from "../state";

export interface Other {
  name: string;
  beside: Beside;
}

const RATE = 0.1;
const TIMES = 10;

/** The one that tells most comes first. `here` is the head on screen. */
export function othersOf(run: Run, here: { layer: number; head: number }): Other[] {
  const { state, steps, info } = run;
  const found: Other[] = [];
  const add = (name: string, to: State, at: Partial<Beside> = {}): void =>
    void found.push({ name, beside: { state: to, layer: null, head: null, ...at } });
  if (state.changes.length) add("before the changes", { ...state, changes: [] });
  const heads = steps.get(`layer${here.layer}.weights`)?.shape[0] ?? 1;
  const after = (here.head + 1) % heads;
  if (heads > 1) add(`head ${after}`, state, { layer: here.layer, head: after });
  if (info.next && run.parameters.length)
    add(`after ${TIMES} updates`, changedBy(state, { kind: "update", rate: RATE, times: TIMES }));
  const mask = state.mask ?? info.mask;
  if (steps.has("visible"))
    if (mask === "causal") add("reading all words", { ...state, mask: "both" });
    else if (mask === "both") add("reading words before only", { ...state, mask: "causal" });
  if ((state.scaling ?? "root") !== "none" && steps.has("layer0.scaled"))
    add("scores not divided", { ...state, scaling: "none" });
  return found;
}
