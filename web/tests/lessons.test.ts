/** What a typed answer is worth: right, nearly, or a mistake that has a name. */
import { describe, expect, it } from "vitest";
import {
  named as shownAs,
  namedApart,
  placed,
  ranked,
  windowOf,
  type Gravity,
  type Pull,
} from "../src/gravity/gravity";
import { following, lessonOf, stateOf, type Card } from "../src/lessons/card";
import { check, numberFrom } from "../src/lessons/check";
import type { Outline } from "../src/run/run";

const card: Card = {
  document: "d", question: "q", line: 1, title: "t", stage: 5, says: "", asks: "?", hint: "", reveals: "",
  answer: 0.66524, decimals: 2, cell: null, row: null, head: null, choices: [], veils: null, changes: [],
  mistakes: [{ name: "forgot √d_k", says: "s", value: 0.8668 },
    { name: "forgot to normalise", says: "s", value: 20.0855 },
    { name: "over the column", says: "s", value: 1 }],
}; // prettier-ignore
const named = (typed: string, one: Card = card): string => {
  const { kind, name } = check(one, typed);
  return `${kind}: ${name}`;
};

describe("a typed number", () => {
  it.each([["0.75", 0.75], ["0,75", 0.75], [" .5 ", 0.5], ["−1.5", -1.5],
    ["75 %", 0.75], ["3/4", 0.75], ["1e-3", 0.001]])("%s is read", (typed, value) =>
    expect(numberFrom(typed)).toBeCloseTo(value, 12)); // prettier-ignore
  it.each(["", "a", "1/0", "1..2", "0x10", "1 2a", "Infinity", "--1"])("%s is none", (typed) =>
    expect(numberFrom(typed)).toBeNull(),
  );
});

describe("an answer", () => {
  it.each(["0.67", "0.665", "0.66524", "66.5%", "0,67", "20.09/30.19", "0.6652"])("%s is right", (typed) =>
    expect(check(card, typed).kind).toBe("right"),
  );
  it.each([
    ["0.87", "mistake: forgot √d_k"], ["0.8668", "mistake: forgot √d_k"], ["0.9", "mistake: forgot √d_k"],
    ["20.09", "mistake: forgot to normalise"], ["20.1", "mistake: forgot to normalise"],
    ["1", "mistake: over the column"], ["1.00", "mistake: over the column"], ["0.7", "nearly: more digits"],
    ["0.66", "nearly: cut off, not rounded"], ["0.68", "nearly: rounding"],
    ["-0.67", "mistake: the sign"], ["66.5", "nearly: in percent"], ["0.3", "wrong: not yet"],
    ["0.5", "wrong: not yet"], ["seven", "unreadable: a number"],
  ])("%s: %s", (typed, said) => expect(named(typed)).toBe(said)); // prettier-ignore
  it("says in which direction it lies", () => {
    expect(check(card, "0.3").says).toBe("It is more than that.");
    expect(check(card, "3").says).toBe("It is less than that.");
  });
  it("of 0 is right only as 0", () => {
    const zero: Card = { ...card, answer: 0, mistakes: [{ name: "forgot the mask", says: "", value: 0.0846 }] };
    expect(named("0", zero)).toBe("right: right");
    expect(named("0.08", zero)).toBe("mistake: forgot the mask");
    expect(named("0.3", zero)).toBe("wrong: not yet");
  });
  it("that counts is a whole number", () => {
    const count: Card = { ...card, answer: 6, decimals: 0, mistakes: [{ name: "half", says: "", value: 8 }] };
    expect(named("6", count)).toBe("right: right");
    expect(named("8", count)).toBe("mistake: half");
    expect(named("7", count)).toBe("wrong: not yet");
  });
  it("may be a word", () => {
    const word: Card = {
      ...card,
      answer: "fox",
      choices: ["apple", "fox", "jumps"],
      mistakes: [{ name: "what should follow", says: "", value: "jumps" }],
    };
    expect(named("Fox", word)).toBe("right: right");
    expect(named("jumps", word)).toBe("mistake: what should follow");
    expect(named("apple", word)).toBe("wrong: no");
    expect(named("bear", word)).toBe("unreadable: one of these");
  });
});

it("keeps back a step and all that follows from it", () => {
  const steps: [string, string[]][] = [
    ["x", []],
    ["weights", ["exps"]],
    ["exps", ["x"]],
    ["v", ["x"]],
    ["context", ["weights", "v"]],
    ["logits", ["context"]],
  ];
  const outline = new Map(steps.map(([name, inputs]) => [name, { name, inputs } as unknown as Outline]));
  expect([...following(outline, "weights")].toSorted()).toEqual(["context", "logits", "weights"]);
});

it("calls a lesson's run after the lesson", () => {
  expect(lessonOf(stateOf("fox").model)).toBe("fox");
  expect(lessonOf("fox")).toBeNull();
});

describe("gravity", () => {
  const pull = (position: number, along: number, arrow: [number, number], place: [number, number]): Pull => ({
    position,
    word: `w${position}`,
    size: Math.hypot(...arrow),
    along,
    arrow,
    place,
  });
  const pulls = [pull(0, 0.2, [0.1, 0], [5, 5]), pull(1, -0.3, [-0.2, 0], [0.5, 0])];
  const seen: Gravity = {
    word: "w",
    layer: "layer0",
    exact: false,
    sentences: [
      {
        words: ["a", "b"],
        position: 1,
        static: [0, 0],
        contextual: [1, 1],
        way: 2 ** 0.5,
        in_plane: 1,
        pulls,
        rest: pull(-1, 1.1, [1.1, 1], [0, 0]),
        trail: [[1, 1]],
      },
    ],
  };
  it("ranks by how far a pull reaches, the rest last", () =>
    expect(ranked(seen.sentences[0]!).map((one) => one.position)).toEqual([1, 0, -1]));
  it("leaves out a rest that is only rounding", () =>
    expect(ranked({ ...seen.sentences[0]!, rest: pull(-1, 0, [1e-17, 0], [0, 0]) }).map((one) => one.position)).toEqual(
      [1, 0],
    ));
  it("has a window with every arrow in it, and only words that stand near", () => {
    const box = windowOf(seen);
    expect(box.left).toBeLessThan(-0.2);
    expect(box.right).toBeGreaterThan(1.1);
    expect(box.right).toBeLessThan(2);
    expect(windowOf({ ...seen, exact: true }).right).toBeGreaterThan(5);
  });
  it("tells repeated words apart", () => {
    const one = { ...seen.sentences[0]!, words: ["an", "apple", "an"] };
    expect([0, 1, 2].map((at) => shownAs(one, at))).toEqual(["an₀", "apple", "an₂"]);
    const two = { ...one, words: ["apple", "phone"] };
    expect(namedApart([one, two], ["①", "②"])).toEqual(["an₀", "apple ①", "an₂", "apple ②", "phone"]);
  });
  it("puts no label on another", () => {
    const at = placed(Array.from({ length: 4 }, () => ({ text: "word", x: 0, y: 0 }))).filter((label) => label.isShown);
    expect(new Set(at.map(({ x, y }) => `${x} ${y}`)).size).toBe(at.length);
  });
});
