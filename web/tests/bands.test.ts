/** The edge of a band stays under the hand: the share at a height is the one whose band ends there. */
import { expect, test } from "vitest";
import { bands, outline, shareAt } from "../src/opening/bands";

const ROOM = { height: 431, gap: 29 };
const SHARES = [0.1, 0.05, 0.1, 0.75];

/** What a drag makes of a row: one share is set, the others keep their proportions. */
const moved = (shares: number[], which: number, to: number): number[] =>
  shares.map((share, i) => (i === which ? to : (share * (1 - to)) / (1 - shares[which]!)));

test("bands fill the room, whatever the shares", () => {
  for (const shares of [SHARES, [0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1], [1]]) {
    const found = bands(shares, ROOM);
    expect(found[0]!.from[0]).toBeCloseTo(0);
    expect(found.at(-1)!.from[1]).toBeCloseTo(ROOM.height);
    found.forEach(({ from, into }) => expect(from[1] - from[0]).toBeCloseTo(into[1] - into[0]));
    for (let i = 1; i < found.length; i++) {
      expect(found[i]!.from[0] - found[i - 1]!.from[1]).toBeCloseTo(ROOM.gap);
      expect(found[i]!.into[0]).toBeCloseTo(found[i - 1]!.into[1]);
    }
  }
});

test.each([0, 1, 2, 3])("dragged to a height, the edge of band %i is there", (which) => {
  for (const to of [0, 0.013, 0.2, 0.5, 0.87, 1]) {
    const grip = bands(moved(SHARES, which, to), ROOM, SHARES)[which]!.grip;
    expect(shareAt(SHARES, which, grip, ROOM)).toBeCloseTo(to, 3);
  }
});

test("beyond the ends a share is none, or all", () => {
  expect(shareAt(SHARES, 3, 10_000, ROOM)).toBe(0);
  expect(shareAt(SHARES, 3, -10_000, ROOM)).toBe(1);
  expect(shareAt([1], 0, 10_000, ROOM)).toBeLessThanOrEqual(1);
});

test("the outline of a band begins and ends at its edges", () => {
  expect(outline(0, 10, [1, 2], [3, 4])).toBe("M0,1C5,1 5,3 10,3V4C5,4 5,2 0,2Z");
});
