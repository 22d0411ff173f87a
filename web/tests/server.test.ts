/** A run is asked for once, whatever was done to it, and nothing comes that is computed here. */
import { expect, test } from "vitest";
import { sourceOf } from "../src/server";
import type { State } from "../src/state";

const STATE: State = {
  model: "english",
  text: "Once upon",
  scaling: "none",
  changes: [{ kind: "hide", word: "Once" }],
};

test("a changed deep run is asked for once, with its changes", async () => {
  const asked: [string, unknown][] = [];
  const outline = { steps: [], labels: {}, info: {}, edits: [], parameters: [] };
  const source = sourceOf((path, body) => {
    asked.push([path, body]);
    return Promise.resolve({ explanation: {}, claims: [], outline } as never);
  });
  const run = await source.run(STATE);
  expect(asked).toEqual([["explain", { ...STATE, whole: true }]]);
  expect([run.isLocal, run.state]).toEqual([false, STATE]);
});
