/** A lesson's runs side by side: which follow one another, what shares a scale, where labels find room. */
import { describe, expect, it } from "vitest";
import { apart, labelOf, panelsOf, spread, type Frames } from "../src/lessons/frames";

const frames = (names: string[], title = "film"): Frames => ({
  title,
  says: "",
  by: "update",
  columns: [
    { name: "loss", panel: "loss" },
    { name: "q·k fox", panel: "q·k" },
    { name: "q·k quick", panel: "q·k" },
  ],
  rows: names.map((name, i) => ({ name, values: [3 - i, i, -i / 2], written: ["", "", ""] })),
});

describe("runs side by side", () => {
  it("are a film where numbers name them, all on one slider; others are tables", () => {
    const [film, other, words] = [frames(["0", "1", "5"]), frames(["0", "2", "9"], "other"), frames(["tired", "wide"])];
    const same = frames(["0", "1", "5"], "same");
    expect(apart([words, film, other, same])).toEqual({ films: [film, same], tables: [words, other] });
    expect(apart([words])).toEqual({ films: [], tables: [words] });
    expect(apart([frames(["64"])]).films).toEqual([]);
  });

  it("share a scale within a panel, and every scale has its zero", () => {
    expect(panelsOf(frames(["0", "1", "2"]))).toEqual([
      { name: "loss", columns: [0], low: 0, high: 3 },
      { name: "q·k", columns: [1, 2], low: -1, high: 2 },
    ]);
    const still = { ...frames(["0", "1"]), rows: [{ name: "0", values: [0, 0, 0], written: [] }] };
    expect(panelsOf(still).map(({ high }) => high)).toEqual([1, 1]);
  });

  it("are called by what their panel does not say", () => {
    expect(labelOf("q·k fox", "q·k")).toBe("fox");
    expect(labelOf("weight, unscaled", "weight")).toBe("unscaled");
    expect(labelOf("loss", "loss")).toBe("");
    expect(labelOf("Q[0,1]", "W_Q")).toBe("Q[0,1]");
    expect(labelOf("W_Q to W_K", "")).toBe("W_Q to W_K");
  });
});

describe("labels at the ends of lines", () => {
  const places = (wanted: number[]): number[] => spread(wanted, 15, [10, 126]);
  it("stay where they are while there is room", () => {
    expect(places([20, 100, 60])).toEqual([20, 100, 60]);
  });
  it("make room for one another in their order, and stay inside", () => {
    expect(places([126, 125, 124])).toEqual([126, 111, 96]);
    expect(places([10, 10, 12])).toEqual([10, 25, 40]);
  });
});
