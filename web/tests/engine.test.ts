/** What the page computes by itself against what Python computed (tests/web/test_engine.py writes it down). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { arraysIn } from "../src/engine/arrays";
import { engine } from "../src/engine/engine";
import { Model } from "../src/engine/model";
import type { TemplateData } from "../src/engine/template";
import { wordsOf } from "../src/engine/text/words";
import { whereIn, type Progress } from "../src/run/progress";
import type { State } from "../src/state";
import type { Numbers } from "../src/trace/numbers";

interface Case {
  state: State;
  info: unknown;
  labels: Record<string, string[]>;
  steps: [name: string, kind: string, axes: string, inputs: string[]][];
}

const folder = process.env.REGARD_ENGINE;
const read = <Data>(name: string): Data => JSON.parse(readFileSync(join(folder!, name), "utf-8")) as Data;
const bytesOf = (name: string): ArrayBuffer => {
  const bytes = readFileSync(join(folder!, name));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};
const modelOf = (name: string): Model =>
  new Model(read<TemplateData>(`models/${name}.json`), arraysIn(bytesOf(`models/${name}.safetensors`)));
const cases = folder ? readdirSync(folder).filter((name) => name.endsWith(".case.json")) : [];

function largestIn({ data }: Numbers): number {
  let most = 0;
  for (let i = 0; i < data.length; i++) if (Number.isFinite(data[i])) most = Math.max(most, Math.abs(data[i]!));
  return most;
}

/** The largest difference, over the largest number here or in what it was computed from: where terms cancel to nothing,
 * what is left is their rounding. What is not finite must be so on both sides. */
function error(mine: Numbers, other: Numbers, from: readonly Numbers[]): number {
  let [worst, largest] = [0, Math.max(0, ...from.map(largestIn))];
  const [own, others] = [mine.data, other.data];
  for (let i = 0; i < own.length; i++) {
    const expected = others[i]!;
    if (Number.isFinite(expected)) {
      worst = Math.max(worst, Math.abs(own[i]! - expected));
      largest = Math.max(largest, Math.abs(expected));
    } else if (!Object.is(own[i], expected)) worst = Infinity;
  }
  return worst ? worst / largest : 0;
}

describe.skipIf(!folder)("a template, filled in", () => {
  it.each(cases)("%s has the steps and the numbers of the run in Python", (file) => {
    const { state, info, labels, steps } = read<Case>(file);
    const expected = arraysIn(bytesOf(file.replace("case.json", "values")));
    const trace = modelOf(state.model).run(state);
    expect(trace.info).toEqual(info);
    expect(trace.labels.words).toEqual(labels);
    expect([...trace.steps.values()].map((s) => [s.name, s.op.kind, s.axes, s.inputs.map((i) => i.name)])).toEqual(
      steps,
    );
    const parameters = new Set(trace.parameters.map(({ name }) => name));
    for (const [name, step] of trace.steps) {
      const other = expected.get(name);
      expect(other !== undefined, name).toBe(!parameters.has(name));
      if (!other) continue;
      expect(step.shape, name).toEqual(other.shape);
      const from = step.inputs.map(({ value }) => value);
      expect(error(step.value, other, from), name).toBeLessThanOrEqual(other.data.length > 100_000 ? 1e-6 : 1e-9);
    }
  });
});

describe.skipIf(!folder)("a text is cut as Python cuts it", () => {
  interface Texts {
    texts: string[];
    ids: Record<string, number[][]>;
    decoded: Record<string, string[]>;
    words: (string[] | null)[];
  }
  it.each(["english", "masked"])("into the pieces of %s, and put together again", (name) => {
    const { texts, ids, decoded } = read<Texts>("texts.json");
    const { tokenizer } = modelOf(name);
    const bpe = tokenizer as unknown as { encode(text: string): number[]; decode(ids: number[]): string };
    const wrong = texts.flatMap((text, i) => {
      const mine = bpe.encode(text);
      const isSame = mine.join() === ids[name]![i]!.join() && bpe.decode(mine) === decoded[name]![i];
      return isSame ? [] : [{ text, mine, expected: ids[name]![i] }];
    });
    expect(wrong).toEqual([]);
    expect(texts.length).toBe(10_000);
  });
  it("into words and signs", () => {
    const { texts, words } = read<Texts>("texts.json");
    const cut = (text: string): string[] | null => {
      try {
        return wordsOf(text);
      } catch {
        return null;
      }
    };
    const wrong = texts.flatMap((text, i) => {
      const mine = cut(text);
      return JSON.stringify(mine) === JSON.stringify(words[i]) ? [] : [{ text, mine, expected: words[i] }];
    });
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

describe.skipIf(!folder)("the engine answers as the server does", () => {
  interface Case {
    path: string;
    body: State & { learning?: boolean };
    answer: unknown;
  }
  const asked = folder ? read<Case[]>("answers.json") : [];
  const models = new Map<string, Model>();
  const ask = engine((name) => {
    if (!models.has(name)) models.set(name, modelOf(name));
    return Promise.resolve(models.get(name)!);
  });
  it.each(asked.map((one) => [`${one.path} ${JSON.stringify(one.body).slice(0, 200)}`, one] as const))(
    "%s",
    async (_, one) => {
      expectAlike(plain(await ask(one.path, one.body)), one.answer, "", one.body.learning === false);
    },
  );
});

describe.skipIf(!folder)("a run that is being computed", () => {
  const english = (): State => ({ model: "english", text: "a text that nobody has read yet", changes: [] });
  const told = engine(() => Promise.resolve(modelOf("english")));

  it("says before each step how far it is, layer by layer", async () => {
    const seen: Progress[] = [];
    await told("explain", english(), (progress) => {
      if (progress) seen.push(progress);
      return Promise.resolve();
    });
    expect(seen.map(({ done }) => done)).toEqual([...seen.keys()]);
    expect(new Set(seen.map(({ of }) => of))).toEqual(new Set([seen.length]));
    const places = new Set(seen.map(whereIn));
    for (let layer = 0; layer < 6; layer++) expect(places).toContain(`layer ${layer}, 5 Weights`);
    expect(places).toContain("9 Predict");
  });

  it("stops where nobody waits any more", async () => {
    let last = "";
    const stopped = told("explain", { ...english(), text: "another text that nobody has read" }, (progress) => {
      last = progress?.step ?? "";
      return last.startsWith("layer2.") ? Promise.reject(new Error("stopped")) : Promise.resolve();
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(last).toMatch(/^layer2/);
  });
});

// what only the server says, what the page reads off the run itself, and what takes longer and is asked for apart
const SERVER_ONLY =
  /^\.(state|claims|parts_hidden|nonfinite|dtype|outline\.(forward|of)|parts\[\]\.(?!cell|name|value))/;
const IN_THE_INFO =
  /^\.explanation\.(model|title|notes|tokens|query|next|mask|task|fresh|own|lesson|text|edits|updates|scaling)$/;
const APART = /^\.explanation\.(learning|findings|told)$/;

/** As JSON has it, where arrays are lists and nothing is infinite. */
const plain = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (_, value: unknown) => (value instanceof Float64Array ? [...value] : value)));

/** Two answers that say the same: words equal, numbers to a millionth. */
function expectAlike(mine: unknown, expected: unknown, where: string, isQuick: boolean): void {
  if (typeof expected === "number" && typeof mine === "number") {
    expect(Math.abs(mine - expected), where).toBeLessThanOrEqual(1e-9 + 1e-6 * Math.abs(expected));
  } else if (expected !== null && typeof expected === "object") {
    expect(typeof mine, where).toBe("object");
    const [own, other] = [mine as Record<string, unknown>, expected as Record<string, unknown>];
    if (Array.isArray(expected)) expect((mine as unknown[]).length, where).toBe(expected.length);
    for (const [name, value] of Object.entries(other)) {
      const path = Array.isArray(expected) ? `${where}[]` : `${where}.${name}`;
      const isLeftOut = SERVER_ONLY.test(path) || IN_THE_INFO.test(path) || (isQuick && APART.test(path));
      if (isLeftOut) continue;
      if (name === "numpy" && typeof value === "string") {
        expect(rounded(own[name] as string), path).toBe(rounded(value));
        continue;
      }
      expectAlike(own[name] ?? null, value, path, isQuick);
    }
  } else expect(mine, where).toEqual(expected);
}

/** Code with its numbers to nine digits. */
const rounded = (code: string): string => code.replace(/\d+\.\d+(e-?\d+)?/g, (number) => Number(number).toPrecision(9));
