import { describe, expect, it } from "vitest";
import { LocalRun } from "../src/run/local";
import { traceFrom, type TraceData } from "../src/trace/wire";
import type { State } from "../src/state";

// y = a·w as the smallest run that learns: its loss is the number itself
const data = {
  version: 1,
  steps: [
    { name: "probabilities", op: { kind: "given", letters: "V", role: "constant" }, inputs: [], axes: "V", shape: [1],
      value: [1] },
    { name: "w", op: { kind: "given", letters: "C", role: "parameter" }, inputs: [], axes: "C", shape: [1],
      value: [2] },
    { name: "loss", op: { kind: "contract", spec: "C,C->" }, inputs: ["w", "w"], axes: "", shape: [], value: [4] },
  ],
  labels: { V: ["x"] },
  info: { model: "one", text: "a", tokens: ["a"] },
  edits: [],
  of: "loss",
  learned: 0,
  forward: 3,
}; // prettier-ignore

describe("updates that go on where others ended", () => {
  const state: State = { model: "one", text: "a", changes: [] };
  const run = LocalRun.of(traceFrom(data as unknown as TraceData), [], state);
  const learned = (times: number): State => ({ ...state, changes: [{ kind: "update", rate: 0.1, times }] });
  it("come to what they come to at once, with every moment between", () => {
    const atOnce = run.to(learned(9));
    const inParts = run.to(learned(2)).to(learned(5)).to(learned(9));
    expect(inParts.trace.number("loss")).toBe(atOnce.trace.number("loss"));
    expect(inParts.moments).toEqual(atOnce.moments);
    expect(inParts.moments.map(({ update }) => update)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
