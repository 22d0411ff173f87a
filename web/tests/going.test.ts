/** From one state to another: what is waited for, and what nobody waits for any more. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Going } from "../src/explorer/going.svelte";
import type { Source } from "../src/explorer/source";
import { LocalRun } from "../src/run/local";
import type { Run } from "../src/run/run";
import type { State } from "../src/state";
import { traceFrom, type TraceData } from "../src/trace/wire";

const data = {
  version: 1,
  steps: [
    { name: "w", op: { kind: "given", letters: "", role: "parameter" }, inputs: [], axes: "", shape: [], value: [2] },
  ],
  labels: {},
  info: { model: "one", text: "a", tokens: ["a"] },
  edits: [],
  of: null,
  learned: 0,
  forward: 1,
}; // prettier-ignore
const state = (text: string): State => ({ model: "one", text, changes: [] });
const runOf = (asked: State): Run => LocalRun.of(traceFrom(data as unknown as TraceData), [], asked);

describe("a state that is waited for", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Runs that are there when `arrive` is called with their texts. */
  function slow(): { going: Going; arrive: (text: string) => Promise<void> } {
    const waiting = new Map<string, () => void>();
    const run = (asked: State): Promise<Run> =>
      new Promise((there) => waiting.set(asked.text, () => there(runOf(asked))));
    const source = { models: () => Promise.resolve([]), run, exported: null, ask: null } satisfies Source;
    const arrive = async (text: string): Promise<void> => {
      waiting.get(text)!();
      await vi.advanceTimersByTimeAsync(0);
    };
    return { going: new Going(source), arrive };
  }

  it("is said to take its time after a while, until it is there", async () => {
    const { going, arrive } = slow();
    void going.go(state("a"));
    expect(going.busy).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(going.busy).toBe(true);
    await arrive("a");
    expect(going.busy).toBe(false);
  });

  it("and that another one has overtaken says nothing any more", async () => {
    const { going, arrive } = slow();
    void going.go(state("a"));
    void going.go(state("b"));
    await arrive("b");
    await vi.advanceTimersByTimeAsync(1000);
    expect(going.busy).toBe(false);
    await arrive("a");
    expect([going.busy, going.pending, going.state?.text]).toEqual([false, false, "b"]);
  });
});
