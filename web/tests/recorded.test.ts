/** A file's answers: as near to the numbers as eight bits allow, cut and pooled as the server does it. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { recorded, restored, type Recorded, type Rounded } from "../src/run/recorded";
import type { Explained } from "../src/run/remote";
import type { Why } from "../src/run/run";

/** As views/rounded.py writes it: the scale of each row, then every level. */
function step(shape: number[], scales: number[], levels: number[], signed = false): Rounded {
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(scales).buffer),
    Buffer.from((signed ? Int8Array : Uint8Array).from(levels).buffer),
  ]);
  return { shape, signed, numbers: deflateSync(bytes).toString("base64") };
}
const state = { model: "m", text: "a b", changes: [] };
const steps = [
  { name: "layer0.weights", axes: "HQK", shape: [2, 3, 5], kind: "map" },
  { name: "masked", axes: "QK", shape: [2, 2], kind: "map" },
];
const explained = {
  state: { ...state, mask: null, next: null },
  explanation: { candidates: [{ word: "so", logit: 1.25, probability: 0.5 }] },
  outline: { steps, labels: { Q: ["a", "b", "c"], K: ["a", "b", "c", "d", "e"] } },
  claims: [],
} as unknown as Explained;
// two heads of three queries and five keys
const levels = Array.from({ length: 30 }, (_, i) => (i * 37) % 255);
const SCALES = [1, 0.5, 2, 0.25, 4, 8];
const exact = levels.map((level, cell) => level * SCALES[Math.floor(cell / 5)]!);
const held: Recorded = {
  explained,
  logit_lens: { layers: [] },
  rounded: {
    "layer0.weights": step([2, 3, 5], SCALES, levels),
    masked: step([2, 2], [0.5, 2], [-2, 127, 3, -128], true),
  },
};
interface Values {
  shape: number[];
  value: (number | null)[];
  nonfinite: Record<string, string>;
}
interface Tile {
  height: number;
  width: number;
  mean: number[];
  max: number[];
}

describe("a file's answers", () => {
  it("restores levels to numbers, and what was hidden to −∞", async () => {
    expect([...(await restored(held.rounded.masked!))]).toEqual([-1, 63.5, 6, -Infinity]);
  });

  it("cuts out what is asked for", async () => {
    const ask = recorded(held);
    const whole = await ask<Values>("values", { ...state, step: "layer0.weights" });
    expect(whole.shape).toEqual([2, 3, 5]);
    expect(whole.value).toEqual(exact);
    const row = await ask<Values>("values", { ...state, step: "layer0.weights", at: [1, 2, null] });
    expect([row.shape, row.value]).toEqual([[5], exact.slice(25, 30)]);
    const column = await ask<Values>("values", { ...state, step: "layer0.weights", at: [0, null, 3] });
    expect(column.value).toEqual([3, 8, 13].map((place) => exact[place]!));
    const odd = await ask<Values>("values", { ...state, step: "masked", at: [1, null] });
    expect([odd.value, odd.nonfinite]).toEqual([[6, null], { "1": "-inf" }]);
  });

  it("pools a tile from all that it covers", async () => {
    const tile = await recorded(held)<Tile>("tile", {
      ...state,
      layer: 0,
      head: 1,
      rows: [0, 3],
      keys: [1, 5],
      height: 2,
      width: 2,
    });
    const at = (q: number, k: number): number => exact[15 + 5 * q + k]!;
    const cells = [
      [at(0, 1), at(0, 2)],
      [at(0, 3), at(0, 4)],
      [at(1, 1), at(1, 2), at(2, 1), at(2, 2)],
      [at(1, 3), at(1, 4), at(2, 3), at(2, 4)],
    ];
    expect([tile.height, tile.width]).toEqual([2, 2]);
    cells.forEach((covered, place) => {
      expect(tile.mean[place]).toBeCloseTo(covered.reduce((a, b) => a + b) / covered.length, 12);
      expect(tile.max[place]).toBe(Math.max(...covered));
    });
  });

  it("says what is not in the file", async () => {
    const ask = recorded(held);
    expect(await ask("explain", state)).toBe(explained);
    expect(await ask("lens", { ...state, kind: "logit_lens" })).toBe(held.logit_lens);
    await expect(ask("explain", { ...state, changes: [{ kind: "update", rate: 1 }] })).rejects.toThrow("regard open");
    await expect(ask("values", { ...state, step: "layer9.q" })).rejects.toThrow("layer9.q is not in this file");
    await expect(ask("explain", { ...state, mask: "both" })).rejects.toThrow("regard open");
    await expect(ask("generate", { ...state, count: 1 })).rejects.toThrow("regard open");
  });

  it("says what a number is, how well it is known, and who knows more", async () => {
    const ask = recorded(held);
    const why = (cell: string) => ask<Why>("why", { ...state, cell });
    const weight = await why("weights[1,c,b]");
    expect([weight.cell, weight.value]).toEqual(["layer0.weights[1,c,b]", exact[26]]);
    expect(weight.text).toBe(`≈ ${exact[26]!.toFixed(0)}`);
    expect(weight.note).toContain("regard open");
    expect(await why('probabilities["so"]')).toMatchObject({ value: 0.5, text: "0.5000" });
    expect((await why("logits[so]")).value).toBe(1.25);
    expect((await why("loss")).text).toBe("not in this file");
  });
});
