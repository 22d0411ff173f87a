/** Answers that came with a file, in the place of a server's: a large run, rounded to eight bits a number. */
import type { State } from "../state";
import type { NumbersData } from "../trace/wire";
import type { Ask, Explained } from "./remote";

/** One step of Python's views/rounded.py: levels from the least number to the greatest, deflated, in base64. */
export interface Rounded {
  shape: number[];
  least: number;
  greatest: number;
  levels: string;
}

export interface Recorded {
  explained: Explained;
  logit_lens: unknown;
  rounded: Record<string, Rounded>;
}

type Asked = State & { step?: string; at?: (number | null)[]; kind?: string } & Partial<TileAsked>;
interface TileAsked {
  layer: number;
  head: number;
  rows: [number, number] | null;
  keys: [number, number] | null;
  height: number;
  width: number;
}

const LEVELS = 254; // 255 stands for what is not finite: a hidden score
const OTHER = "this file holds one run as it is; start `regard open` to change it or to read another sentence";

export function recorded(held: Recorded): Ask {
  const kept = new Map<string, Promise<Float64Array>>();
  const numbers = (step: string): Promise<Float64Array> => {
    const found = held.rounded[step];
    if (!found) throw new Error(`${step} is not in this file; start \`regard open\` to see it`);
    if (!kept.has(step)) kept.set(step, restored(found));
    return kept.get(step)!;
  };
  const answer = async (path: string, body: unknown): Promise<unknown> => {
    const asked = body as Asked;
    if (path === "explain") {
      if (asked.changes.length || asked.scaling) throw new Error(OTHER);
      return held.explained;
    }
    if (path === "values") return part(await numbers(asked.step!), held.rounded[asked.step!]!.shape, asked.at);
    if (path === "tile") {
      const step = `layer${asked.layer}.weights`;
      return pooled(await numbers(step), held.rounded[step]!.shape, asked as TileAsked);
    }
    if (path === "lens" && asked.kind === "logit_lens") return held.logit_lens;
    throw new Error("this is not in the file; start `regard open` to ask for it");
  };
  return answer as Ask;
}

/** The numbers that Python rounded. */
export async function restored({ least, greatest, levels }: Rounded): Promise<Float64Array> {
  const packed = Uint8Array.from(atob(levels), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const found = new Uint8Array(await new Response(stream).arrayBuffer());
  return Float64Array.from(found, (level) => (level > LEVELS ? -Infinity : least + (level * (greatest - least)) / LEVELS));
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
  return { shape: kept, value: cells.map((cell) => (Number.isFinite(cell) ? cell : null)), nonfinite: Object.fromEntries(odd) };
}

/** A part of one head's weights, pooled to few cells, as the server's /api/tile does it. */
function pooled(values: Float64Array, shape: number[], asked: TileAsked): object {
  const [, queries, keys] = shape as [number, number, number];
  const rows = asked.rows ?? [0, queries];
  const columns = asked.keys ?? [0, keys];
  const down = edges(rows, asked.height);
  const across = edges(columns, asked.width);
  const mean: number[] = [];
  const max: number[] = [];
  for (let i = 0; i + 1 < down.length; i++)
    for (let j = 0; j + 1 < across.length; j++) {
      let sum = 0;
      let largest = 0;
      for (let q = down[i]!; q < down[i + 1]!; q++)
        for (let k = across[j]!; k < across[j + 1]!; k++) {
          const weight = values[(asked.head * queries + q) * keys + k]!;
          sum += weight;
          largest = Math.max(largest, weight);
        }
      mean.push(sum / ((down[i + 1]! - down[i]!) * (across[j + 1]! - across[j]!)));
      max.push(largest);
    }
  return { rows, keys: columns, height: down.length - 1, width: across.length - 1, mean, max };
}

/** Where cells begin and end: as evenly as whole numbers allow, and never more of them than there is to show. */
function edges([begin, end]: [number, number], cells: number): number[] {
  const count = Math.min(end - begin, cells);
  return Array.from({ length: count + 1 }, (_, i) => begin + Math.floor((i * (end - begin)) / count));
}
