/** A link says everything, and a broken one still opens. */
import { describe, expect, it } from "vitest";
import { FIRST_VIEW, fromHash, toHash, type State, type View } from "../src/state";

const state: State = {
  model: "two-heads", text: "On the mat, a “cat” sat & +1 #2 = 3%", next: "purring", mask: "both", query: "sat", scaling: "none",
  changes: [
    { kind: "edit", cell: 'weights["a,b",The]', value: -0.25 },
    { kind: "move", cell: "weights[0,3,3]", value: 0.2 },
    { kind: "pin", step: "layer0.bias", value: [0, 1e-30, -2] },
    { kind: "hide", word: "the@4" },
    { kind: "update", rate: 0.1, learns: ["W_V", "E"], times: 10 },
  ],
}; // prettier-ignore
const view: View = {
  stage: 7,
  layer: 1,
  head: 0,
  row: 3,
  cell: "weights[fox,fox]",
  of: "brown fox",
  tab: "code",
  columns: true,
  backward: true,
  page: "gravity",
  card: 2,
  revealed: 1,
  word: "fox",
  also: ["a fox & a dog", "fox"],
  close: true,
};

describe("a link", () => {
  it("holds the whole state and view", () => expect(fromHash(toHash(state, view))).toEqual({ state, view }));
  it("is short where nothing was done", () =>
    expect(toHash({ model: "fox", text: "The fox", changes: [] }, FIRST_VIEW)).toBe("#model=fox&text=The+fox"));
  it("names a lesson and its card", () => {
    const { state, view } = fromHash("#lesson=cat&card=3&revealed=2");
    expect(state).toEqual({ model: "lesson/cat", text: "", changes: [] });
    expect(view).toEqual({ ...FIRST_VIEW, card: 2, revealed: 2 });
    expect(toHash(state!, view)).toBe("#lesson=cat&card=3&revealed=2");
  });
  it("may be the JSON that regard open writes", () =>
    expect(fromHash(`#${encodeURIComponent('{"model":"english","text":"a,b"}')}`).state).toEqual({
      model: "english",
      text: "a,b",
      changes: [],
    }));
  it.each([
    "",
    "#",
    "#%",
    "#changes=[",
    "#text=a&changes=[1,{}]&stage=99&layer=-1&mask=odd",
    "#{",
    '#["a"]',
    "#also={&card=x&revealed=9&page=odd",
  ])("%s opens", (hash) => {
    const found = fromHash(hash);
    expect(found.view.stage).toBeGreaterThanOrEqual(1);
    expect(found.view.stage).toBeLessThanOrEqual(12);
    expect(found.state?.changes ?? []).toEqual([]);
  });
});
