/** Who reads whom: what an average word gets of a row, and how much the other words read a word. */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { lettersOf, mixing } from "./attending";

/** `average_word` = Σ weights of a row / how many words it may read. */
export function* averageSteps(trace: Trace): Iterable<Step> {
  const visible = trace.steps.get("visible");
  if (!visible) return;
  const count = new Step("visible.count", new Contract(`${visible.axes}->${visible.axes.slice(0, -1)}`), [visible]);
  yield count;
  for (const [layer, mix] of mixing(trace)) {
    const { weights: axes } = lettersOf(mix);
    const row = axes.slice(0, -1);
    const whole = new Step(`${layer}.average_word.sum`, new Contract(`${axes}->${row}`), [mix.inputs[0]!]);
    yield* [
      whole,
      new Step(`${layer}.average_word`, new FormulaMap("divide", `${row},${count.axes}->${row}`), [whole, count]),
    ];
  }
}

/** `others` = what all words but one give to a word / how many of them may read it. */
export function* othersSteps(trace: Trace): Iterable<Step> {
  const visible = trace.steps.get("visible");
  const [queries, keys] = visible?.shape.slice(-2) ?? [0, 0];
  if (!visible || queries! < 2) return;
  const sees = visible.value.data;
  const data = sees.map((seen, cell) => {
    const [first, key] = [Math.floor(cell / (queries! * keys!)) * queries! * keys!, cell % keys!];
    let all = 0;
    for (let query = 0; query < queries!; query++) all += sees[first + query * keys! + key]!;
    return all - seen;
  });
  const count = new Step("others.count", new Given({ ...visible.value, data }, visible.axes, "constant"));
  yield count;
  for (const [layer, mix] of mixing(trace)) {
    const { weights: axes } = lettersOf(mix);
    const column = `${axes.slice(0, -2)}${axes.at(-1)!}`;
    const weights = mix.inputs[0]!;
    const whole = new Step(`${layer}.others.sum`, new Contract(`${axes}->${column}`), [weights]);
    const rest = new Step(`${layer}.others.rest`, new FormulaMap("subtract", `${column},${axes}->${axes}`), [
      whole,
      weights,
    ]);
    yield* [whole, rest];
    yield new Step(`${layer}.others`, new FormulaMap("divide", `${axes},${count.axes}->${axes}`), [rest, count]);
  }
}
