import { describe, expect, it } from "vitest";
import { aligned } from "../src/compare/aligned";

const pairs = (one: string, other: string): [number, number, string][] =>
  aligned(one.split(" "), other.split(" ")).map(({ first, second, word }) => [first, second, word]);

describe("words that stand for one another", () => {
  it("are the same words, and others in their place", () => {
    expect(pairs("the cat sat", "the dog sat")).toEqual([
      [0, 0, "the"],
      [1, 1, "cat/dog"],
      [2, 2, "sat"],
    ]);
    expect(pairs("a b a", "a b a")).toEqual([[0, 0, "a"], [1, 1, "b"], [2, 2, "a"]]); // prettier-ignore
  });
  it("leave out what one sentence has more of", () => {
    expect(pairs("the old cat sat", "the cat sat")).toEqual([
      [0, 0, "the"],
      [2, 1, "cat"],
      [3, 2, "sat"],
    ]);
    expect(pairs("x y", "p q r")).toEqual([]);
  });
});
