/** A run of a model before its words are known, as Python's models/template.py writes it, and the run of some words. */
import { operationFrom, type OperationData } from "../trace/kinds";
import { numbers, placeOf, strides, zeros, type Numbers } from "../trace/numbers";
import { Step } from "../trace/step";
import type { Mask } from "../state";
import type { Arrays } from "./arrays";
import type { NamingData } from "./naming";
import type { TaskData } from "./task";
import type { BpeData } from "./text/bpe";

type Source = "tokens" | "query" | "target" | "mask" | { array: string } | { by_word: string };

export interface TemplateData {
  version: number;
  steps: { name: string; op: OperationData; inputs: number[]; given?: Source }[];
  unanswered: number; // steps of a run in which nobody says what should follow
  tokens: number; // at most
  model: string;
  title: string;
  notes: string[];
  sentence: string;
  next: string | null;
  query: string | null;
  mask: Mask;
  task: TaskData;
  lesson: string | null;
  names: Record<string, string[]>;
  reads: string[];
  writes: string[] | null; // null: the same
  tied: boolean;
  end: string;
  closed: boolean;
  naming?: NamingData;
  bpe?: BpeData; // else it reads words as they are written
  layers: number;
  heads: number;
}

/** What is asked, in numbers: the tokens, the position that answers, the answer wanted, who may see whom. */
export interface Asked {
  tokens: readonly number[];
  query: number;
  target: number | null;
  mask: Mask;
}

const WORDS = "TQK"; // axes along which a text's words lie

/** The steps of a run. Numbers that do not depend on words are those of the arrays, or the beginning of them. */
export function stepsOf({ steps, unanswered }: TemplateData, arrays: Arrays, asked: Asked): Step[] {
  const made: Step[] = [];
  for (const { name, op, inputs, given } of asked.target === null ? steps.slice(0, unanswered) : steps) {
    const operation = operationFrom(op, () => valueOf(given!, op.letters ?? "", arrays, asked));
    const step = new Step(
      name,
      operation,
      inputs.map((place) => made[place]!),
    );
    made.push(step);
  }
  return made;
}

function valueOf(source: Source, axes: string, arrays: Arrays, asked: Asked): Numbers {
  const { tokens, query, target, mask } = asked;
  if (source === "tokens") return numbers(tokens, [tokens.length], "int64");
  if (source === "query" || source === "target") return numbers([source === "query" ? query : target!], [], "int64");
  if (source === "mask") return seen(mask, tokens.length);
  const isByWord = "by_word" in source;
  const name = isByWord ? source.by_word : source.array;
  const whole = arrays.get(name);
  if (!whole) throw new Error(`the numbers of ${name} are missing; load the page again`);
  if (isByWord) return chosen(whole, whole.shape.map(() => tokens)); // prettier-ignore
  if (![...axes].some((letter) => WORDS.includes(letter))) return whole;
  const beginning = [...tokens.keys()];
  return chosen(whole, [...axes].map((letter, axis) =>
    WORDS.includes(letter) ? beginning : [...Array(whole.shape[axis]).keys()])); // prettier-ignore
}

export function seen(mask: Mask, words: number): Numbers {
  const { data, shape } = zeros([words, words]);
  for (let cell = 0; cell < data.length; cell++)
    data[cell] = mask === "both" || cell % words <= Math.floor(cell / words) ? 1 : 0;
  return { data, shape, dtype: "bool" };
}

/** The cells of an array at some places along each axis. */
function chosen({ data, shape, dtype }: Numbers, places: readonly (readonly number[])[]): Numbers {
  const result = zeros(
    places.map((along) => along.length),
    dtype,
  );
  const steps = strides(shape);
  for (let cell = 0; cell < result.data.length; cell++) {
    const at = placeOf(result.shape, cell);
    result.data[cell] = data[at.reduce((sum, place, axis) => sum + places[axis]![place]! * steps[axis]!, 0)]!;
  }
  return result;
}

/** A table of word vectors with further rows. */
export function withRows(table: Numbers, rows: readonly Float64Array[]): Numbers {
  const data = new Float64Array(table.data.length + rows.length * table.shape[1]!);
  data.set(table.data);
  rows.forEach((row, i) => data.set(row, table.data.length + i * row.length));
  return { shape: [table.shape[0]! + rows.length, table.shape[1]!], data, dtype: table.dtype };
}
