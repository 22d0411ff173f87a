/** The interpreter against Python, cell by cell, on the traces that tests/web/test_interpreter.py wrote. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explanation, type Explanation } from "../src/measure/explanation";
import type { Change } from "../src/state";
import { changed } from "../src/run/local";
import type { Numbers } from "../src/trace/numbers";
import type { Step } from "../src/trace/step";
import type { Trace } from "../src/trace/trace";
import { numbersFrom, traceFrom, type NumbersData, type TraceData } from "../src/trace/wire";

interface Case {
  base: TraceData;
  changes: Change[];
  after: TraceData;
  explanation: Explanation | null; // of the toys
  texts: Text[];
  measured: Measured[]; // as it came, changed, and with a word hidden
}
interface Text {
  address: string;
  short: string;
  text: string;
  latex: string;
  numpy: string;
  symbols: string;
}
interface Measured {
  changes: Change[];
  trace: TraceData;
  families: Record<string, string[]>;
  steps: (NumbersData & { name: string; kind: string; inputs: string[]; axes: string })[];
  texts: Text[];
}

const folder = process.env.REGARD_FIXTURES;
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
const read = (name: string): Case => JSON.parse(readFileSync(join(folder!, name), "utf-8")) as Case;

const ROUNDING = 1e-15;
const largest = ({ data }: Numbers): number =>
  data.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);

/** The largest difference of two arrays, over the largest number in them or in what they were computed from:
 * where terms cancel to nothing, what is left is the rounding of the terms, and it is passed on (ROUNDING). */
function error(a: Numbers, b: Numbers, read: readonly Numbers[], name: string): number {
  expect(a.shape, name).toEqual(b.shape);
  let size = Math.max(ROUNDING / 1e-12, ...read.map(largest));
  let worst = 0;
  a.data.forEach((value, i) => {
    const other = b.data[i]!;
    if (Number.isFinite(other)) {
      size = Math.max(size, Math.abs(other));
      worst = Math.max(worst, Math.abs(value - other));
    } else expect(value, name).toEqual(other);
  });
  return size ? worst / size : worst;
}

function expectSame(trace: Trace, expected: TraceData): void {
  expect([...trace.steps.keys()].filter((name) => !name.endsWith(".next"))).toEqual(
    expected.steps.slice(0, expected.steps.length - expected.learned).map((step) => step.name),
  );
  for (const step of expected.steps) {
    const mine = trace.steps.get(step.name)!;
    expect(mine.axes, step.name).toBe(step.axes);
    expect(
      mine.inputs.map((input) => input.name),
      step.name,
    ).toEqual(step.inputs);
    expect(mine.op.data().kind, step.name).toBe(step.op.kind);
    const read = mine.inputs.map((input) => input.value);
    expect(error(mine.value, numbersFrom(step as NumbersData), read, step.name), step.name).toBeLessThanOrEqual(1e-12);
  }
}

/** Two pieces of data that say the same: words equal, numbers to the last digits. */
function expectAlike(mine: unknown, expected: unknown, where: string): void {
  if (typeof expected === "number")
    expect(Math.abs((mine as number) - expected), where).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(expected)));
  else if (Array.isArray(expected)) {
    expect((mine as unknown[]).length, where).toBe(expected.length);
    expected.forEach((value, i) => expectAlike((mine as unknown[])[i], value, `${where}[${i}]`));
  } else if (typeof expected === "object" && expected !== null)
    for (const [name, value] of Object.entries(expected))
      expectAlike((mine as Record<string, unknown>)[name], value, `${where}.${name}`);
  else expect(mine, where).toEqual(expected);
}

const after = (base: TraceData, changes: readonly Change[]): Trace => {
  const trace = changes.reduce((trace, change) => changed(trace, change), traceFrom(base, { compute: true }));
  return trace.of === null ? trace.backward() : trace;
};

/** Every measurement of a run: the same steps, made the same way, with the same numbers. */
function expectMeasured(trace: Trace, { families, steps }: Measured): void {
  for (const [family, names] of Object.entries(families))
    expect(new Set(trace.measure(family).keys()), family).toEqual(new Set(names));
  for (const { name, kind, inputs, axes, ...expected } of steps) {
    const mine = trace.known.get(name)!;
    expect([mine.axes, mine.op.kind, mine.inputs.map((input) => input.name)], name).toEqual([axes, kind, inputs]);
    const read = mine.inputs.map((input) => input.value);
    // what is divided by what rounding has left of nothing says nothing
    if (name.endsWith(".ratio") && read.some((numbers) => largest(numbers) < 10 * ROUNDING)) continue;
    expect(error(mine.value, numbersFrom(expected), read, name), name).toBeLessThanOrEqual(1e-12);
  }
}

/** What is said is compared of the very numbers that Python had: they differ in the last digit, and so would words. */
function withPythonsNumbers({ trace: data, families, steps }: Measured): Trace {
  const trace = traceFrom(data);
  Object.keys(families).forEach((family) => trace.measure(family));
  const numbers = new Map(steps.map((step) => [step.name, numbersFrom(step)]));
  // two measurements may each have made a step of the same name
  const given = (step: Step): void => {
    const kept = numbers.get(step.name);
    if (kept && (step as unknown as { kept: Numbers }).kept !== kept) {
      Object.assign(step, { kept });
      step.inputs.forEach(given);
    }
  };
  trace.known.forEach(given);
  return trace;
}

function expectSaid(trace: Trace, texts: readonly Text[]): void {
  for (const expected of texts) {
    const cell = trace.cell(expected.address);
    const why = trace.why(cell);
    const { numpy, ...said } = expected;
    expect({
      address: trace.addressOf(cell),
      short: trace.nameOf(cell),
      text: why.text(),
      latex: why.latex(),
      symbols: why.symbols(),
    }).toEqual(said);
    // all digits of a number of another run are those of that run, which is computed here
    // and what is given may have been computed when it was measured, such as a rate
    if (why.isGiven && Number.isFinite(Number(numpy)))
      expect(Number(why.numpy()) / (Number(numpy) || 1), expected.address).toBeCloseTo(Number(numpy) ? 1 : 0, 12);
    else if (!why.cells().some(({ run }) => run)) expect(why.numpy(), expected.address).toBe(numpy);
    expect(trace.addressOf(trace.cell(expected.short))).toBe(expected.address);
  }
}

describe.runIf(folder)("the interpreter agrees with Python", () => {
  it("on many traces", () => expect(files.length).toBeGreaterThan(20));

  describe.each(files)("%s", (name) => {
    let found: Case; // megabytes, read once for all that is asked of it
    beforeAll(() => void (found = read(name)));
    afterAll(() => void (found = undefined!));

    it("forward and backward", () => {
      const { base } = found;
      expectSame(traceFrom(base, { compute: true }), base);
    });

    it("edits and updates", () => {
      const { base, changes, after } = found;
      expectSame(
        changes.reduce((trace, change) => changed(trace, change), traceFrom(base, { compute: true })),
        after,
      );
    });

    it("what is measured", () => {
      const { after, explanation: expected } = found;
      if (!expected) return;
      const { edits: _, ...measured } = expected as Explanation & { edits: unknown };
      const trace = traceFrom(after, { compute: true });
      expectAlike({ ...trace.info, ...explanation(trace) }, measured, "explanation");
    });

    it("arithmetic and addresses", () => {
      const { after, texts } = found;
      expectSaid(traceFrom(after), texts);
    });

    it("every measurement, also changed and with a word hidden", () => {
      const { base, measured } = found;
      for (const expected of measured) {
        const trace = after(base, expected.changes);
        expectMeasured(trace, expected);
        expectSaid(withPythonsNumbers(expected), expected.texts);
      }
    });
  });
});
