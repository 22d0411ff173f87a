import { describe, expect, it } from "vitest";
import { counted, pieces, verdictOf } from "../src/reading/reading";

it("counts claims in words that fit their number", () => {
  expect([1, 3].map((count) => counted(count, "wrong number"))).toEqual(["1 wrong number", "3 wrong numbers"]);
  expect([counted(1, "claim"), counted(2, "claim"), counted(2, "cannot run")]).toEqual([
    "1 claim",
    "2 claims",
    "2 cannot run",
  ]);
});

describe("a line of a page", () => {
  it("is cut where its claims stand", () => {
    const line = { text: "so 2 * 3 = 7, they say", marks: [[11, 12, 0]] as [number, number, number][] };
    expect(pieces(line)).toEqual([
      { text: "so 2 * 3 = ", claims: [] },
      { text: "7", claims: [0] },
      { text: ", they say", claims: [] },
    ]);
  });

  it("keeps a number that was judged twice as one piece", () => {
    const line = { text: "= 7", marks: [[2, 3, 0], [2, 3, 1]] as [number, number, number][] }; // prettier-ignore
    expect(pieces(line).at(-1)).toEqual({ text: "7", claims: [0, 1] });
  });

  it("puts claims whose place is not sure at its end", () => {
    const line = { text: "y = x @ W", marks: [[0, 0, 4]] as [number, number, number][] };
    expect(pieces(line)).toEqual([
      { text: "y = x @ W", claims: [] },
      { text: "", claims: [4] },
    ]);
  });

  it("says its verdict in one line", () => {
    const claim = { line: 1, what: "2 * 3", claimed: "7", computed: "6", note: "", verdict: "wrong", fails: true };
    expect(verdictOf({ ...claim, arithmetic: null, run: null, cell: null })).toBe("wrong: claimed 7, computed 6");
  });
});
