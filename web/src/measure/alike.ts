/** How alike every word of a run is to one word of the vocabulary, before the first layer and after each, as steps.
 *
 * `alike5[apple]` is the cosine of apple's own vector with that of word 5, `layer2.alike5[apple]` the one that it has
 * after layer 2. What a sentence does to a word is the difference.
 */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { withoutLayer } from "../trace/names";
import { NotFound } from "../trace/near";
import { numbers } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step, type Cell } from "../trace/step";
import type { Trace } from "../trace/trace";
import { streams } from "./streams";

/** After every layer whose stream is as wide as the words themselves. */
export function* alikeSteps(trace: Trace, number: number): Iterable<Step> {
  const [table, words] = [trace.steps.get("E"), trace.steps.get("x")];
  if (!table || !words) return;
  if (number >= table.shape[0]!) throw new NotFound(`no word ${number}; there are ${table.shape[0]!}, counted from 0`);
  const name = `alike${number}`;
  const which = new Step(`${name}.word`, new Given(numbers([number], [], "int64"), "", "constant"));
  const other = new Step(`${name}.other`, new Pick("IC,->C"), [table, which]);
  const square = new Step(`${name}.other.square`, new Contract("C,C->"), [other, other]);
  const size = new Step(`${name}.other.size`, new FormulaMap("square_root", "->"), [square]);
  yield* [which, other, square, size];
  for (const [layer, stream] of [["", words] as const, ...streams(trace).slice(1)])
    if (String(stream.shape) === String(words.shape))
      yield* cosine(layer ? `${layer}.${name}` : name, stream, other, size);
}

function cosine(name: string, stream: Step, other: Step, size: Step): Step[] {
  const dots = new Step(`${name}.dot`, new Contract("TC,C->T"), [stream, other]);
  const squares = new Step(`${name}.square`, new Contract("TC,TC->T"), [stream, stream]);
  const sizes = new Step(`${name}.size`, new FormulaMap("square_root", "T->T"), [squares]);
  const both = new Step(`${name}.sizes`, new FormulaMap("product", "T,->T"), [sizes, size]);
  return [dots, squares, sizes, both, new Step(name, new FormulaMap("divide", "T,T->T"), [dots, both])];
}

/** The cosine of the word at a position with another: by itself, then after each layer. */
export function cosines(trace: Trace, position: number, other: string): Cell[] {
  const name = `alike${trace.labels.position("I", trace.labels.along("I")!.length, other)}`;
  const found = [...trace.measure(name).values()].filter((step) => withoutLayer(step.name) === name);
  return found.map((step) => ({ step, at: [position] }));
}
