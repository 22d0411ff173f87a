/** What happens when a word is not read: the margin of the run in which that weight is 0, in one head or in all. */
import { Elsewhere } from "../trace/elsewhere";
import { FormulaMap } from "../trace/map";
import { layerOf } from "../trace/names";
import { Step } from "../trace/step";
import type { OneMore, Trace } from "../trace/trace";
import { compared } from "./margin";

/** `layer5.cut3_7_0` is the margin when head 3 at position 7 does not read position 0, `layer5.cut7_0` when no head
 * does; `.lost` is what that takes away. */
export function* cutSteps(trace: Trace, layer: number, ...at: number[]): Iterable<Step> {
  const weights = trace.steps.get(`layer${layer}.weights`);
  const margin = trace.measure("margin").get("margin");
  const axes = weights?.shape.slice(-at.length) ?? [];
  if (!weights || !margin || at.some((place, axis) => place >= axes[axis]!)) return;
  const same = trace.remembered(comparing);
  const op = new Elsewhere("margin", "", "", [["cut", weights.name, at, 0]], (change) => same.withOneMore(change, cut));
  const other = new Step(`layer${layer}.cut${at.join("_")}`, op, [margin]);
  yield* [other, new Step(`${other.name}.lost`, new FormulaMap("subtract", ",->"), [margin, other])];
}

/** The same run, whose margin stays that of the same two words when something is changed in it. */
const comparing = (trace: Trace): Trace => trace.comparing(...compared(trace));

function cut(trace: Trace, [, weights, at, number]: OneMore): Trace {
  if (at.length === 3) return trace.edit(`${weights}[${at.join(",")}]`, number!);
  const [to, from] = at as [number, number];
  const heads = Array.from({ length: trace.step(weights).shape[0]! }, (_, head) => head);
  const after = heads.reduce((run, head) => run.edit(`${weights}[${head},${to},${from}]`, number!), trace);
  const words = `${trace.labels.shown("Q", to)} reading ${trace.labels.shown("K", from)}`;
  return after.saying(`${layerOf(weights)} without ${words}`);
}
