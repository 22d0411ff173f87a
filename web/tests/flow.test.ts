/** The drawing of a flow: how many pairs are kept, and where everything lies. */
import { describe, expect, it } from "vitest";
import { keptPairs, layoutOf, MOST_ROWS } from "../src/flow/layout";
import type { FlowPicture } from "../src/measure/picture";

const pictured = (words: number): FlowPicture => ({
  ...{ first: "a", second: "b", margin: 1, held: "", biases: null, edits: null },
  words: { step: "flow.words", values: Array.from({ length: words }, (_, i) => i / words) },
  heights: ["x", "layer0.residual"].map((name) => ({ step: `${name}.flow`, values: new Array<number>(words).fill(1) })),
  layers: [
    {
      name: "layer0",
      kept: { step: "layer0.flow.kept", values: new Array<number>(words).fill(0.5) },
      pairs: {
        step: "layer0.flow.pairs",
        size: 1,
        sum: 0.4,
        top: [
          [2, 0, 0.5],
          [1, 1, -0.3],
          [2, 1, 0.2],
        ],
      },
    },
  ],
});

describe("the drawing of a flow", () => {
  it("keeps the fewest pairs that hold a share", () => {
    const top = [[0, 0, 0.5], [0, 1, -0.3], [1, 1, 0.2]] as const; // prettier-ignore
    expect([0, 0.5, 0.51, 0.8, 0.81, 1].map((share) => keptPairs(top, 1, share))).toEqual([0, 1, 2, 2, 3, 3]);
  });

  it("draws the kept pairs and says what the others carry", () => {
    const { ribbons, rests, nodes } = layoutOf(pictured(3), 2, 0.6, { width: 100, row: 40 });
    expect(ribbons.filter(({ kind }) => kind === "pair").map(({ to, from }) => [to, from])).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(rests[0]!.kept).toBe(2);
    expect(rests[0]!.flow).toBeCloseTo(0.2);
    expect(nodes).toHaveLength(6);
  });

  it("gathers the words of a long text that carry little", () => {
    const { rows } = layoutOf(pictured(MOST_ROWS + 8), 3, 0.9, { width: 100, row: 40 });
    expect(rows.length).toBeLessThanOrEqual(MOST_ROWS);
    expect(rows.flatMap(({ positions }) => positions).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: MOST_ROWS + 8 }, (_, i) => i),
    );
    expect(rows.some(({ positions }) => positions.length === 1 && positions[0] === 3)).toBe(true);
  });
});
