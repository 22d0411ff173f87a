/** Another mask, another scaling: the same run with steps made another way. */
import type { Mask, Scaling } from "../state";
import { withoutWord } from "./edits";
import { Given } from "./given";
import { FormulaMap } from "./map";
import type { Numbers } from "./numbers";
import type { Operation } from "./operation";
import { Step } from "./step";
import type { Trace } from "./trace";

export const isScaled = (step: Step): boolean => /^layer\d+\.scaled$/.test(step.name);

const NAMED: Readonly<Record<string, Scaling>> = { over_root: "root", over: "width", same: "none" };

/** How a run divides its scores; null where it does so in a way that has no name, or somebody has set one of them. */
export function scalingOf(trace: Trace): Scaling | null {
  const scaled = trace.forward.filter(isScaled);
  const ways = new Set(scaled.map(({ op }) => (op instanceof FormulaMap ? op.formula : "")));
  return ways.size === 1 ? (NAMED[[...ways][0]!] ?? null) : null;
}

/** The head width that scores are divided by: as the step names it, or else that of the queries. */
export function widthOf(trace: Trace, scaled: Step): number {
  const named = scaled.op instanceof FormulaMap ? scaled.op.constants[0] : undefined;
  return named ?? trace.step(scaled.name.replace("scaled", "q")).shape.at(-1)!;
}

export function scaledBy(trace: Trace, scaling: Scaling): Trace {
  for (const { name } of trace.forward.filter(isScaled)) {
    const step = trace.step(name); // of the trace whose layers below are made anew already
    const spec = `${step.axes}->${step.axes}`;
    const width = widthOf(trace, step);
    const op: Operation =
      scaling === "none"
        ? new FormulaMap("same", spec)
        : new FormulaMap(scaling === "root" ? "over_root" : "over", spec, [width]);
    trace = trace.rewired(new Map([[step, [new Step(name, op, step.inputs)]]]));
  }
  return trace;
}

export function maskedBy(trace: Trace, mask: Mask): Trace {
  const visible = trace.steps.get("visible");
  if (!visible) return trace;
  const [queries, keys] = visible.shape.slice(-2) as [number, number];
  const data = visible.value.data.map((_, cell) => {
    const [query, key] = [Math.floor(cell / keys) % queries, cell % keys];
    return mask === "both" || key <= query ? 1 : 0;
  });
  const query = trace.has("query") ? trace.number("query") : null;
  const hidden = trace.edits.filter((edit) => edit.kind === "hide"); // a hidden word stays hidden
  const seen = hidden.reduce<Numbers>((seen, { at }) => withoutWord(seen, at[0]!, query), { ...visible.value, data });
  const other = new Step("visible", new Given(seen, visible.axes, "constant"));
  return trace.rewired(new Map([[visible, [other]]]));
}
