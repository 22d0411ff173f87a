/** A file's answers: as near to the numbers as eight bits allow, cut and pooled as the server does it. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { recorded, restored, type Recorded, type Rounded } from "../src/run/recorded";
import type { Explained } from "../src/run/remote";

const packed = (levels: number[]): string => deflateSync(Uint8Array.from(levels)).toString("base64");
const step = (shape: number[], levels: number[], least = 0, greatest = 1): Rounded => ({ shape, least, greatest, levels: packed(levels) });
const state = { model: "m", text: "a b", changes: [] };
const explained = { explanation: {}, claims: [] } as unknown as Explained;
// two heads of three queries and five keys
const levels = Array.from({ length: 30 }, (_, i) => (i * 37) % 255);
const held: Recorded = {
  explained,
  logit_lens: { layers: [] },
  rounded: { "layer0.weights": step([2, 3, 5], levels), masked: step([2, 2], [0, 127, 254, 255], -1, 3) },
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
    expect([...(await restored(held.rounded.masked!))]).toEqual([-1, 1, 3, -Infinity]);
  });

  it("cuts out what is asked for", async () => {
    const ask = recorded(held);
    const whole = await ask<Values>("values", { ...state, step: "layer0.weights" });
    expect(whole.shape).toEqual([2, 3, 5]);
    expect(whole.value).toEqual(levels.map((level) => level / 254));
    const row = await ask<Values>("values", { ...state, step: "layer0.weights", at: [1, 2, null] });
    expect([row.shape, row.value]).toEqual([[5], levels.slice(25, 30).map((level) => level / 254)]);
    const column = await ask<Values>("values", { ...state, step: "layer0.weights", at: [0, null, 3] });
    expect(column.value).toEqual([3, 8, 13].map((place) => levels[place]! / 254));
    const odd = await ask<Values>("values", { ...state, step: "masked", at: [1, null] });
    expect([odd.value, odd.nonfinite]).toEqual([[3, null], { "1": "-inf" }]);
  });

  it("pools a tile from all that it covers", async () => {
    const tile = await recorded(held)<Tile>("tile", { ...state, layer: 0, head: 1, rows: [0, 3], keys: [1, 5], height: 2, width: 2 });
    const at = (q: number, k: number): number => levels[15 + 5 * q + k]! / 254;
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
    await expect(ask("why", { ...state, cell: "loss" })).rejects.toThrow("regard open");
  });
});
