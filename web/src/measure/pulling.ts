/** What pulled a word away from its own place, as steps: after each layer, one vector for every word that it read.
 *
 * `layer2.gravity5.pull[there]`: what reading "there" in layers 0 to 2 did to the word at position 5. With the rest
 * (MLP, positions, biases), all pulls sum to the way that the word has gone.
 */
import { Contract } from "../trace/contract";
import { unedited } from "../trace/edits";
import { Given } from "../trace/given";
import { isSum } from "../trace/holding";
import { FormulaMap } from "../trace/map";
import { numbers } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { lettersOf, mixing } from "./attending";
import { streams } from "./streams";

/** For one word, after every layer whose stream is as wide as the words themselves. */
export function* gravitySteps(trace: Trace, position: number): Iterable<Step> {
  const words = trace.step("x");
  const place = new Step(`gravity${position}.place`, new Given(numbers([position], [], "int64"), "", "constant"));
  const own = new Step(`gravity${position}.own`, new Pick("TC,->C"), [words, place]);
  yield* [place, own];
  const soFar: Step[] = [];
  const heights = streams(trace);
  for (const [i, [layer, after]] of heights.slice(1).entries()) {
    if (String(after.shape) !== String(words.shape)) return;
    const prefix = `${layer}.gravity${position}`;
    const sent = [...sentTo(trace, layer, heights[i]![1], place, prefix)];
    yield* sent;
    soFar.push(...sent.slice(-1));
    yield* way(soFar, own, after, place, prefix);
  }
}

/** What each word sent to one position in one layer, through W_O; the last step is (K, C). */
function* sentTo(trace: Trace, layer: string, before: Step, place: Step, prefix: string): Iterable<Step> {
  const mix = mixing(trace).get(layer);
  const joined = trace.steps.get(`${layer}.by_head`);
  const through = joined && unedited(joined);
  if (!mix || through?.inputs.length === 0) return; // replaced by hand: no word has a part in it
  const { weights, values } = lettersOf(mix);
  const row = new Step(`${prefix}.weights`, new Pick(`${weights},->HK`), [mix.inputs[0]!, place]);
  yield row;
  let sent: Step;
  if (through) {
    const byHead = new Step(`${prefix}.mixed`, new Contract(`HK,${values}->HKD`), [row, mix.inputs[1]!]);
    yield byHead;
    const output = through.inputs[1]!;
    const op = new Contract(`HKD,${output.axes.length === 2 ? "D" : "HD"}C->KC`); // added heads share one W_O
    sent = new Step(`${prefix}.sent`, op, [byHead, output]);
  } else sent = new Step(`${prefix}.sent`, new Contract(`HK,${values.slice(0, -1)}C->KC`), [row, mix.inputs[1]!]);
  yield sent;
  const attended = trace.steps.get(`${layer}.attended`)!;
  if (trace.forward.some((step) => step.inputs.includes(attended) && isSum(step))) return;
  // without a residual the old place is left: each word pulls toward what it sends, with its share of attention
  const share = new Step(`${prefix}.share`, new Contract("HK->K", 1 / row.shape[0]!), [row]);
  const old = new Step(`${prefix}.before`, new Pick("TC,->C"), [before, place]);
  const left = new Step(`${prefix}.left`, new Contract("K,C->KC"), [share, old]);
  yield* [share, old, left, new Step(`${prefix}.pulled`, new FormulaMap("subtract", "KC,KC->KC"), [sent, left])];
}

/** Where the word stands now, the way it has gone, and how far each pull reaches along it. */
function* way(pulls: readonly Step[], own: Step, after: Step, place: Step, prefix: string): Iterable<Step> {
  const there = new Step(`${prefix}.place`, new Pick("TC,->C"), [after, place]);
  const gone = new Step(`${prefix}.way`, new FormulaMap("subtract", "C,C->C"), [there, own]);
  const square = new Step(`${prefix}.way.square`, new Contract("C,C->"), [gone, gone]);
  yield* [there, gone, square, new Step(`${prefix}.way.size`, new FormulaMap("square_root", "->"), [square])];
  let rest = gone;
  if (pulls.length) {
    const sum = new FormulaMap("add", `${pulls.map(() => "KC").join(",")}->KC`);
    const pull = new Step(`${prefix}.pull`, sum, [...pulls]);
    const total = new Step(`${prefix}.pull.sum`, new Contract("KC->C"), [pull]);
    rest = new Step(`${prefix}.rest`, new FormulaMap("subtract", "C,C->C"), [gone, total]);
    yield* [pull, total, rest, ...measured(pull, "K", gone, square, pull.name)];
  }
  yield* measured(rest, "", gone, square, `${prefix}.rest`);
}

/** `.size`, and `.along`: the share of the way; all pulls and the rest together make 1. */
function* measured(vector: Step, rows: string, gone: Step, square: Step, name: string): Iterable<Step> {
  const lengths = new Step(`${name}.square`, new Contract(`${rows}C,${rows}C->${rows}`), [vector, vector]);
  const reach = new Step(`${name}.reach`, new Contract(`${rows}C,C->${rows}`), [vector, gone]);
  yield* [lengths, new Step(`${name}.size`, new FormulaMap("square_root", `${rows}->${rows}`), [lengths])];
  yield* [reach, new Step(`${name}.along`, new FormulaMap("divide", `${rows},->${rows}`), [reach, square])];
}
