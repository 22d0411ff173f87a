/** A formula that Python alone knows: its data is all that the page needs to compute, blame and show it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { TraceData } from "../src/trace/wire";

interface Case {
  formulas: Record<string, unknown>;
  trace: TraceData;
  texts: Record<string, string>; // by address
}

const folder = process.env.REGARD_FORMULA;

describe.runIf(folder)("a formula that was added in Python", () => {
  it("is computed, blamed and shown as there", async () => {
    const { formulas, trace: data, texts } = JSON.parse(readFileSync(join(folder!, "case.json"), "utf-8")) as Case;
    vi.doMock("../src/trace/formulas.json", () => ({ default: formulas }));
    const { numbersFrom, traceFrom } = await import("../src/trace/wire");
    const trace = traceFrom(data, { compute: true });
    expect([...trace.steps.keys()]).toEqual(data.steps.map((step) => step.name));
    for (const step of data.steps) {
      const expected = numbersFrom(step).data;
      trace.array(step.name).data.forEach((value, i) => expect(value, step.name).toBeCloseTo(expected[i]!, 12));
    }
    for (const [address, text] of Object.entries(texts)) expect(trace.why(address).text()).toBe(text);
  });
});
