/** What happens without a word: the logits of the run in which nobody may read it, word by word. */
import { Elsewhere } from "../trace/elsewhere";
import { FormulaMap } from "../trace/map";
import { rowOf } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step } from "../trace/step";
import type { OneMore, Trace } from "../trace/trace";

/** `without[word]` is the margin when nobody may read a word, `without.change[word]` how far it is from ours. */
export function withoutSteps(trace: Trace): Step[] {
  const margin = trace.step("margin");
  // of several words that predict, the last
  const logits = trace.measure("margin").get("margin.logits") ?? trace.step("logits");
  const changes = trace.labels.along("K")!.map((_, position): OneMore => ["hide", "visible", [position], null]);
  const other = new Step("without.logits", new Elsewhere(logits.name, logits.axes, "K", changes, trace.withOneMore), [
    logits,
  ]);
  const picked = ["first", "second"].map(
    (name) => new Step(`without.${name}`, new Pick("KV,->K"), [other, trace.step(`margin.${name}.word`)]),
  );
  const whole = new Step("without", new FormulaMap("subtract", "K,K->K"), picked);
  return [other, ...picked, whole, new Step("without.change", new FormulaMap("subtract", "K,->K"), [whole, margin])];
}

/** What the model says when nobody may read the word at a position. */
export function saysWithout(trace: Trace, position: number): string {
  const logits = rowOf(trace.array("without.logits"), [position]);
  return trace.labels.along("V")![logits.indexOf(Math.max(...logits))]!;
}
