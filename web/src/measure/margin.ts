/** The goal of flow and contributions: by how much one word's logit exceeds another's. */
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { near, NotFound } from "../trace/near";
import { numbers } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

const place = (name: string, position: number): Step =>
  new Step(name, new Given(numbers([position], [], "int64"), "", "constant"));

/** `margin` = logit(first) − logit(second), at the position that predicts (of several, the last). */
export function marginSteps(trace: Trace): Step[] {
  const words = trace.labels.along("V") ?? [];
  const steps: Step[] = [];
  let logits = trace.step("logits");
  if (logits.axes.length > 1) {
    const last = place("margin.place", logits.shape[0]! - 1);
    logits = new Step("margin.logits", new Pick(`${logits.axes},->${logits.axes.slice(1)}`), [logits, last]);
    steps.push(last, logits);
  }
  const picked = compared(trace).map((word, i) => {
    if (!words.includes(word)) throw new NotFound(`no word '${word}' that this model writes; ${near(word, words)}`);
    const name = `margin.${["first", "second"][i]!}`;
    const number = place(`${name}.word`, words.indexOf(word));
    const logit = new Step(name, new Pick("V,->"), [logits, number]);
    steps.push(number, logit);
    return logit;
  });
  return [...steps, new Step("margin", new FormulaMap("subtract", ",->"), picked)];
}

/** The two words to compare: those asked for; else the one that should follow, or the most probable, and its rival. */
export function compared(trace: Trace): readonly [string, string] {
  if (trace.compared) return trace.compared;
  const { data, shape } = trace.array("probabilities");
  const shares = data.subarray(data.length - shape.at(-1)!);
  const ranked = Array.from(shares.keys()).sort((a, b) => shares[b]! - shares[a]!);
  const target = trace.has("target") ? trace.array("target").data.at(-1)! : ranked[0]!;
  const rival = ranked.find((word) => word !== target) ?? target;
  const words = trace.labels.along("V")!;
  return [words[target]!, words[rival]!];
}
