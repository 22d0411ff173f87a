/** What happens without a word: the margin of the run in which nobody may read it, word by word. */
import { Elsewhere } from "../trace/elsewhere";
import { FormulaMap } from "../trace/map";
import { Step } from "../trace/step";
import type { OneMore, Trace } from "../trace/trace";
import { compared } from "./margin";

/** The same two words are compared everywhere. */
const comparing = (trace: Trace): Trace => trace.comparing(...compared(trace));
const hiding = (position: number): OneMore => ["hide", "visible", [position], null];

/** `without[word]` is the margin of another run, `without.change[word]` how far it lies from the one here. */
export function withoutSteps(trace: Trace): Step[] {
  const run = trace.remembered(comparing);
  const margin = run.step("margin");
  const changes = trace.labels.along("K")!.map((_, position) => hiding(position));
  const other = new Step("without", new Elsewhere("margin", "", "K", changes, run.withOneMore), [margin]);
  return [other, new Step("without.change", new FormulaMap("subtract", "K,->K"), [other, margin])];
}

/** The run in which nobody may read the word at a position. */
export const runWithout = (trace: Trace, position: number): Trace =>
  trace.remembered(comparing).withOneMore(hiding(position));
