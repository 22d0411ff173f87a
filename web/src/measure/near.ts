/** Which words stand near a word in the table that a model reads with: cosines as steps.
 *
 * `near5.cosine[dog]` is the cosine of the vector of dog with that of word 5 of the vocabulary, `near5-3+8.cosine[dog]`
 * that with word 5 less word 3 and with word 8, each brought to length 1.
 */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { NotFound } from "../trace/near";
import { numbers } from "../trace/numbers";
import { Pick } from "../trace/pick";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { grouped } from "../trace/format";

/** Rows of the table that are added and subtracted: 654-300+787. */
export const SUM = "-?\\d{1,12}(?:[+-]\\d{1,12})*";
const MOST_TERMS = 100;

export function* nearSteps(trace: Trace, asked: string): Iterable<Step> {
  const table = trace.steps.get("E");
  if (!table) return;
  const terms = [...asked.matchAll(/([+-]?)(\d+)/g)];
  const factors = terms.map(([, sign]) => (sign === "-" ? -1 : 1));
  const rows = terms.map(([, , row]) => Number(row));
  const last = Math.max(...rows);
  const all = table.shape[0]!;
  if (last >= all) throw new NotFound(`no word ${last}; there are ${grouped(all)}, counted from 0`);
  if (rows.length > MOST_TERMS) throw new NotFound(`a sum has at most ${MOST_TERMS} words, got ${rows.length}`);
  const steps = [...vectorSteps(`near${asked}`, table, factors, rows)];
  yield* [...steps, ...cosineSteps(`near${asked}`, table, steps.at(-1)!)];
}

/** A row as it is, or a sum of several, each brought to length 1 first; the last step is the vector. */
function* vectorSteps(name: string, table: Step, factors: readonly number[], rows: readonly number[]): Iterable<Step> {
  const isOne = rows.length === 1 && factors[0] === 1;
  if (isOne) {
    const which = new Step(`${name}.word`, new Given(numbers([rows[0]!], [], "int64"), "", "constant"));
    yield* [which, new Step(`${name}.own`, new Pick("IC,->C"), [table, which])];
    return;
  }
  const which = new Step(`${name}.words`, new Given(numbers([...rows], [rows.length], "int64"), "W", "constant"));
  const picked = new Step(`${name}.rows`, new Pick("IC,W->WC"), [table, which]);
  const squares = new Step(`${name}.rows.square`, new Contract("WC,WC->W"), [picked, picked]);
  const sizes = new Step(`${name}.rows.size`, new FormulaMap("square_root", "W->W"), [squares]);
  const units = new Step(`${name}.units`, new FormulaMap("divide", "WC,W->WC"), [picked, sizes]);
  const times = new Step(`${name}.factors`, new Given(numbers([...factors], [rows.length]), "W", "constant"));
  yield* [which, picked, squares, sizes, units, times];
  yield new Step(`${name}.own`, new Contract("W,WC->C"), [times, units]);
}

/** The cosine of every row of a table with one vector: their dot product over both lengths. */
function* cosineSteps(name: string, table: Step, own: Step): Iterable<Step> {
  const dots = new Step(`${name}.dot`, new Contract("IC,C->I"), [table, own]);
  const squares = new Step(`${name}.square`, new Contract("IC,IC->I"), [table, table]);
  const sizes = new Step(`${name}.size`, new FormulaMap("square_root", "I->I"), [squares]);
  const square = new Step(`${name}.own.square`, new Contract("C,C->"), [own, own]);
  const size = new Step(`${name}.own.size`, new FormulaMap("square_root", "->"), [square]);
  const both = new Step(`${name}.sizes`, new FormulaMap("product", "I,->I"), [sizes, size]);
  yield* [dots, squares, sizes, square, size, both];
  yield new Step(`${name}.cosine`, new FormulaMap("divide", "I,I->I"), [dots, both]);
}
