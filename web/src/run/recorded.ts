/** Answers that came with a file, in place of a server's: a large run to be read, rounded to eight bits a number. */
import type { State } from "../state";
import { findCell, shortCell, writtenCell } from "../trace/address";
import { fixed, formatInColumn } from "../trace/format";
import { Labels } from "../trace/labels";
import { offset } from "../trace/numbers";
import type { NumbersData } from "../trace/wire";
import type { Ask, Explained } from "./remote";
import { decimalsOf, type Why } from "./run";
import { pooled, type TileAsked } from "./tile";

/** One step of Python's views/rounded.py: the scales of its rows, then levels that they are multiplied by. */
export interface Rounded {
  shape: number[];
  signed: boolean;
  numbers: string; // deflated, in base64
}

export interface Recorded {
  explained: Explained & { state?: State };
  logit_lens: unknown;
  rounded: Record<string, Rounded>;
}

type Asked = State & { step?: string; at?: (number | null)[]; kind?: string; cell?: string } & Partial<TileAsked>;

const HIDDEN = { signed: -128, unsigned: 255 }; // what is not finite: a hidden score
const OTHER = "this file holds one run, to be read; start `regard open` to change it or to read another sentence";
const ROUNDED = "rounded to 8 bits in this file; `regard open` shows the exact number and its arithmetic";
const NOT_HERE = "this file has no arithmetic; `regard open` shows how the number came about";

export function recorded(held: Recorded): Ask {
  const kept = new Map<string, Promise<Float64Array>>();
  const numbers = (step: string): Promise<Float64Array> => {
    const found = held.rounded[step];
    if (!found) throw new Error(`${step} is not in this file; start \`regard open\` to see it`);
    if (!kept.has(step)) kept.set(step, restored(found));
    return kept.get(step)!;
  };
  const steps = new Map((held.explained.outline?.steps ?? []).map((step) => [step.name, step]));
  const labels = new Labels(held.explained.outline?.labels ?? {});
  /** What can be said of a number without its arithmetic. */
  const why = async (address: string): Promise<Why> => {
    const said = { parts: [], given: false, numpy: null, symbols: "" };
    try {
      const { step, at } = findCell(address, steps, labels);
      const values = await numbers(step.name);
      const place = offset(step.shape, at);
      const start = place - (at.at(-1) ?? 0);
      const text = `≈ ${fixed(values[place]!, decimalsOf(values.subarray(start, start + (step.shape.at(-1) ?? 1))))}`;
      const names = { cell: writtenCell({ step, at }, labels), name: shortCell({ step, at }, labels, steps) };
      return {
        ...said,
        ...names,
        value: values[place]!,
        step: step.name,
        at: [...at],
        text,
        latex: text,
        note: ROUNDED,
      };
    } catch {
      const value = exactly(address) ?? NaN;
      const text = Number.isNaN(value) ? "not in this file" : formatInColumn(value, 4);
      return { ...said, cell: address, name: address, value, step: address, at: [], text, latex: text, note: NOT_HERE };
    }
  };
  /** A logit or a probability, which were measured and stand in the file as they are. */
  const exactly = (address: string): number | undefined => {
    const found = /^(logit|probabilit)(?:s|ies)\[(.*)\]$/s.exec(address);
    const candidate = held.explained.explanation.candidates.find(
      ({ word }) => found && (found[2] === word || found[2] === JSON.stringify(word)),
    );
    return found?.[1] === "logit" ? candidate?.logit : candidate?.probability;
  };
  const answer = async (path: string, body: unknown): Promise<unknown> => {
    const asked = body as Asked;
    if (path === "explain") {
      if (held.explained.state && !isSame(held.explained.state, asked)) throw new Error(OTHER);
      return held.explained;
    }
    if (path === "values") return part(await numbers(asked.step!), held.rounded[asked.step!]!.shape, asked.at);
    if (path === "tile") {
      const step = `layer${asked.layer}.weights`;
      return pooled(await numbers(step), held.rounded[step]!.shape, asked as TileAsked);
    }
    if (path === "why") return why(asked.cell!);
    if (path === "lens" && asked.kind === "logit_lens") return held.logit_lens;
    throw new Error("this is not in the file; start `regard open` to ask for it");
  };
  return answer as Ask;
}

const isSame = (a: State, b: State): boolean => told(a) === told(b);
const told = ({ model, toy, text, next, mask, query, scaling, as_written, compared, changes }: State): string =>
  JSON.stringify([
    model, toy ?? null, text, next ?? null, mask ?? null, query ?? null, scaling ?? null, !!as_written,
    compared ?? null, changes,
  ]); // prettier-ignore

/** The numbers that Python rounded. */
export async function restored({ shape, signed, numbers }: Rounded): Promise<Float64Array> {
  const packed = Uint8Array.from(atob(numbers), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const row = shape.at(-1) ?? 1;
  const rows = shape.reduce((product, size) => product * size, 1) / row;
  const scales = new Float32Array(bytes, 0, rows); // the low byte first, as on every machine that browsers run on
  const levels = signed ? new Int8Array(bytes, 4 * rows) : new Uint8Array(bytes, 4 * rows);
  const hidden = signed ? HIDDEN.signed : HIDDEN.unsigned;
  return Float64Array.from(levels, (level, cell) =>
    level === hidden ? -Infinity : level * scales[Math.floor(cell / row)]!,
  );
}

/** A part of a step, as the server sends it: a position for an axis, or null for all of it. */
function part(values: Float64Array, shape: number[], at: (number | null)[] = shape.map(() => null)): NumbersData {
  let places = [0];
  let size = values.length;
  const kept: number[] = [];
  shape.forEach((length, axis) => {
    size /= length;
    const place = at[axis] ?? null;
    if (place === null) kept.push(length);
    const along = place === null ? [...Array(length).keys()] : [place];
    places = places.flatMap((start) => along.map((position) => start + position * size));
  });
  const cells = places.map((place) => values[place]!);
  const odd = cells.flatMap((cell, place) => (Number.isFinite(cell) ? [] : [[String(place), "-inf"] as const]));
  return {
    shape: kept,
    value: cells.map((cell) => (Number.isFinite(cell) ? cell : null)),
    nonfinite: Object.fromEntries(odd),
  };
}
