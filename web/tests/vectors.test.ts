/** The map of word vectors: where things are on the screen, and which analogy a sum is. */
import { describe, expect, it } from "vitest";
import {
  beside,
  between,
  fitted,
  fittedToMost,
  named,
  panned,
  pointAt,
  toPlane,
  toScreen,
  zoomed,
} from "../src/vectors/camera";
import { analogyIn, planeOf, pointsOf } from "../src/vectors/table";

const size = { width: 700, height: 500 };
const camera = { x: 1, y: -2, unit: 30 };
const close = (got: readonly number[], wanted: readonly number[]): void =>
  got.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 9));

describe("a camera", () => {
  it("puts its own place into the middle, and up is up", () => {
    close(toScreen(camera, size, [1, -2]), [350, 250]);
    close(toScreen(camera, size, [2, -1]), [380, 220]);
    close(toPlane(camera, size, toScreen(camera, size, [3.5, 7])), [3.5, 7]);
  });
  it("moves with the hand: what was under it stays under it", () => {
    const under = toPlane(camera, size, [100, 100]);
    close(toScreen(panned(camera, 40, -25), size, under), [140, 75]);
    close(toScreen(zoomed(camera, size, 2.5, [100, 100]), size, under), [100, 100]);
    expect(zoomed(camera, size, 2.5, [100, 100]).unit).toBe(75);
    expect(zoomed(camera, size, 1e30, [0, 0]).unit).toBe(1e5);
  });
  it("sees all that it is fitted to, and not only the outliers of many", () => {
    const places = [[-3, 0], [5, 1], [0, 9]] as const; // prettier-ignore
    for (const place of places) {
      const [x, y] = toScreen(fitted(places, size), size, place);
      expect(x >= 0 && x <= 700 && y >= 0 && y <= 500).toBe(true);
    }
    const many = new Float32Array(4000).map((_, i) => Math.sin(i * 12.9898) * 2);
    many[0] = 1e6;
    expect(fittedToMost(many, size).unit).toBeGreaterThan(50);
    expect(Number.isFinite(fitted([[1, 1]], size).unit)).toBe(true);
  });
  it("goes from one place to another evenly", () => {
    const there = { x: 8, y: 3, unit: 400 };
    expect(between(camera, there, 0)).toEqual(camera);
    const end = between(camera, there, 1);
    close([end.x, end.y, end.unit], [8, 3, 400]);
  });
});

describe("points", () => {
  const places = Float32Array.from([0, 0, 1, 0, 1, 1]);
  it("are found near the pointer, and not far from it", () => {
    const at = toScreen(camera, size, [1, 1]);
    expect(pointAt(places, camera, size, [at[0] + 3, at[1] - 4], 12)).toBe(2);
    expect(pointAt(places, camera, size, [at[0], at[1] - 40], 12)).toBe(-1);
  });
  it("have names where there is room, the frequent ones first, no signs", () => {
    const points = { words: ["the", ",", "far", "near"], places: Float32Array.from([0, 0, 5, 5, 9, 9, 0.01, 0]) };
    expect(named(points, { x: 4, y: 4, unit: 30 }, size, 9, [])).toEqual([0, 2]);
  });
  it("that are pointed out have names that do not cover each other", () => {
    const words = [
      { word: "brussels", at: [300, 200] as const },
      { word: "vienna", at: [304, 206] as const },
      { word: "woman", at: [690, 300] as const },
    ];
    const boxes = beside(words, size).map(({ box }) => box);
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
    expect(boxes[2]!.right).toBeLessThan(700);
  });
});

describe("a sum", () => {
  const terms = (...factors: number[]) => factors.map((factor, i) => ({ word: "abc"[i]!, factor }));
  it("is an analogy if it is b − a + c", () => {
    expect(analogyIn(terms(1, -1, 1))).toEqual({ b: 0, a: 1, c: 2 });
    expect(analogyIn(terms(1, 1, -1))).toEqual({ b: 0, c: 1, a: 2 });
    expect(analogyIn(terms(1, -1))).toBeNull();
    expect(analogyIn(terms(1, -1, 0.5))).toBeNull();
  });
  it("says its plane as it is written", () => {
    expect(planeOf("king - man + woman")).toEqual(["woman - man", "king - man"]);
    expect(planeOf(" king − man + woman ")).toEqual(["woman - man", "king - man"]);
    expect(planeOf("king")).toBeNull();
    expect(planeOf("king - king + woman")).toBeNull();
  });
});

it("points come in slices until all are there", async () => {
  const asked: unknown[] = [];
  const all = 60_000;
  const ask = <Answer>(path: string, body: unknown): Promise<Answer> => {
    const { first, count } = body as { first: number; count: number };
    asked.push([path, first]);
    const rows = Array.from({ length: Math.min(count, all - first) }, (_, i) => first + i);
    return Promise.resolve({ first, of: all, words: rows.map(String), places: rows.flatMap((n) => [n, -n]) } as Answer);
  };
  const sizes: number[] = [];
  let last: Float32Array = new Float32Array();
  for await (const { words, places } of pointsOf(ask, { model: "glove" })) {
    sizes.push(words.length);
    last = places;
  }
  expect(sizes).toEqual([25_000, 50_000, 60_000]);
  expect(asked).toEqual([["points", 0], ["points", 25_000], ["points", 50_000]]); // prettier-ignore
  expect([last.length, last[2 * 59_999], last[2 * 59_999 + 1]]).toEqual([120_000, 59_999, -59_999]);
});
