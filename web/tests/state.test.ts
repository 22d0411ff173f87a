/** A link says everything, and a broken one still opens. */
import { describe, expect, it } from "vitest";
import { checkChanges, patience } from "../src/bounds";
import { FIRST_VIEW, fromHash, toHash, type Change, type State, type View } from "../src/state";

const state: State = {
  as_written: true,
  model: "two-heads", text: "On the mat, a “cat” sat & +1 #2 = 3%", next: "purring",
  mask: "both", query: "sat", scaling: "none",
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
  exact: true,
  page: "gravity",
  card: 2,
  revealed: 1,
  word: "fox",
  also: ["a fox & a dog", "fox"],
  toward: ["river", "money"],
  share: 0.4,
  close: true,
  table: "glove.vectors",
  asked: "king - man + woman",
  principal: true,
  beside: { state: { model: "fox", text: "a fox & a dog", changes: [] }, layer: 0, head: 1 },
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

describe("a link of a stranger", () => {
  const opened = (changes: string): Change[] =>
    fromHash(`#model=fox&text=a&changes=${encodeURIComponent(changes)}`).state!.changes;
  it.each([
    ['{"kind":"update","rate":0.1,"times":1e999}', "updates without end"],
    ['{"kind":"update","rate":0.1,"times":1001}', "more updates than a change has"],
    ['{"kind":"update","rate":0.1,"times":1.5}', "half an update"],
    ['{"kind":"update","rate":1e999}', "an infinite rate"],
    ['{"kind":"edit","cell":"weights[0,0]","value":1e999}', "infinity"],
    ['{"kind":"edit","cell":"weights[0,0]","value":-1e31}', "a number beyond all others"],
    [`{"kind":"edit","cell":"${"x".repeat(601)}","value":0}`, "an address without end"],
    [`{"kind":"pin","step":"x","value":[${"0,".repeat(65_536)}0]}`, "a pin without end"],
    ['{"kind":"pin","step":"x","value":[1e999]}', "a pin of infinity"],
    ['{"kind":"update","rate":0.1,"learns":[{}]}', "a name that is none"],
  ])("%.60s is left out: %s", (change) => expect(opened(`[${change}]`)).toEqual([]));
  it("opens without its changes, where there are thousands", () => {
    const edit = '{"kind":"edit","cell":"weights[0,0]","value":0.5}';
    expect(opened(`[${Array(500).fill(edit).join()}]`)).toHaveLength(500);
    expect(opened(`[${Array(5000).fill(edit).join()}]`)).toEqual([]);
  });
});

describe("what is done here", () => {
  const edit: Change = { kind: "edit", cell: "weights[0,0]", value: 0.5 };
  it("is bounded where a change is made, whoever says it", () => {
    expect(() => checkChanges(Array<Change>(500).fill(edit))).not.toThrow();
    expect(() => checkChanges(Array<Change>(501).fill(edit))).toThrow("at most 500 changes, got 501");
    expect(() => checkChanges([edit, { kind: "update", rate: 0.1, times: Infinity }])).toThrow("change 2");
    const thousand: Change = { kind: "update", rate: 0.1, times: 1000 };
    expect(() => checkChanges(Array<Change>(11).fill(thousand))).toThrow("at most 10000 updates, got 11000");
  });
  it("ends when it has taken too long", () => {
    expect(patience(60_000)).not.toThrow();
    expect(patience(-1)).toThrow("takes too long");
  });
});
