/** Where everything of a flow is drawn: words in rows, heights in columns, ribbons between them. */
import type { FlowPicture } from "../measure/picture";
import { largest } from "../measure/together";

/** One line of the drawing: a word, or all words that have no line of their own. */
export interface Row {
  positions: readonly number[];
  y: number;
}

export interface Node {
  row: number;
  column: number;
  flow: number;
  x: number;
  y: number;
  radius: number;
}

/** From a word at one height to one at the next. A band goes straight on: the stream, or a word that reads itself. */
export interface Ribbon {
  kind: "kept" | "pair";
  layer: number;
  to: number; // positions
  from: number;
  flow: number;
  path: string;
  width: number;
}

export interface Rest {
  layer: number;
  kept: number; // how many pairs are drawn
  flow: number; // of all others
  x: number;
  width: number;
}

export interface Layout {
  rows: Row[];
  columns: number[];
  nodes: Node[];
  ribbons: Ribbon[];
  rests: Rest[];
}

export interface Size {
  width: number; // of the drawing, without the words beside it
  row: number; // from one line to the next
}

export const MOST_ROWS = 22;
const SHOWN = 16; // words of a longer text, besides the one that predicts
const THINNEST = 0.75; // of a ribbon, in pixels
const ROUNDEST = 15;

/** The fewest pairs of a layer that hold a share of all that is carried in it. */
export function keptPairs(top: readonly (readonly [number, number, number])[], size: number, share: number): number {
  let held = 0;
  let kept = 0;
  while (kept < top.length && held < share * size * (1 - 1e-12)) held += Math.abs(top[kept++]![2]);
  return kept;
}

export function layoutOf(picture: FlowPicture, query: number, share: number, { width, row }: Size): Layout {
  const groups = groupsOf(picture, query);
  const rows = groups.map((positions, i) => ({ positions, y: row * (i + 0.5) }));
  const rowOf = new Map(groups.flatMap((positions, i) => positions.map((position) => [position, i])));
  const count = picture.heights.length;
  const columns = picture.heights.map((_, i) => (count > 1 ? (width * i) / (count - 1) : width));
  const sum = (values: readonly number[], positions: readonly number[]): number =>
    positions.reduce((total, position) => total + values[position]!, 0);
  const flows = picture.heights.map((height) => groups.map((group) => (height ? sum(height.values, group) : 0)));
  const most = Math.max(...flows.flat().map(Math.abs), Math.abs(picture.margin), 1e-300);
  const thick = (flow: number): number => Math.max(THINNEST, (Math.abs(flow) / most) * Math.min(0.66 * row, 46));
  const apart = count > 1 ? width / (count - 1) : width;
  const roundest = Math.min(ROUNDEST, 0.34 * row, 0.3 * apart);
  const nodes = flows.flatMap((column, c) =>
    column.map((flow, r) => ({
      row: r,
      column: c,
      flow,
      x: columns[c]!,
      y: rows[r]!.y,
      radius: Math.max(2.5, roundest * Math.sqrt(Math.abs(flow) / most)),
    })),
  );
  const ribbons: Ribbon[] = [];
  const rests: Rest[] = [];
  picture.layers.forEach(({ kept, pairs }, layer) => {
    const [left, right] = [columns[layer]!, columns[layer + 1]!];
    const bands = groups.map((group) => (kept ? sum(kept.values, group) : 0));
    bands.forEach((flow, r) => {
      if (kept && flow !== 0)
        ribbons.push({
          ...{ kind: "kept", layer, to: groups[r]![0]!, from: groups[r]![0]!, flow, width: thick(flow) },
          path: straight(left, right, rows[r]!.y),
        });
    });
    if (!pairs) return;
    const number = keptPairs(pairs.top, pairs.size, share);
    const drawn = pairs.top.slice(0, number);
    rests.push({
      layer,
      kept: number,
      flow: pairs.sum - drawn.reduce((total, [, , flow]) => total + flow, 0),
      x: (left + right) / 2,
      width: right - left,
    });
    // what enters a word is stacked on what it keeps, the nearest word next to it
    const above = bands.map((flow) => (flow ? thick(flow) / 2 : 0));
    const below = [...above];
    const near = drawn.toSorted((a, b) => Math.abs(a[0] - a[1]) - Math.abs(b[0] - b[1]));
    for (const [to, from, flow] of near) {
      const [there, here] = [rowOf.get(to)!, rowOf.get(from)!];
      const stack = here < there ? above : below;
      const side = here < there ? -1 : 1;
      const wide = thick(flow);
      if (here === there && !above[there]) above[there] = below[there] = -wide / 2; // nothing is kept: straight on
      const y = rows[there]!.y + side * (stack[there]! + wide / 2);
      stack[there]! += wide;
      if (here === there && above[there]! < 0) above[there] = below[there]!;
      const path = here === there ? straight(left, right, y) : curve(left, rows[here]!.y, right, y);
      ribbons.push({ kind: "pair", layer, to, from, flow, width: wide, path });
    }
  });
  return { rows, columns, nodes, ribbons, rests };
}

/** The words that have a line of their own, in order; behind them all others. */
function groupsOf(picture: FlowPicture, query: number): number[][] {
  const { values } = picture.words;
  const all = values.map((_, position) => position);
  if (all.length <= MOST_ROWS) return all.map((position) => [position]);
  const shown = new Set([...largest(values.map(Math.abs), SHOWN), query]);
  return [
    all.filter((position) => !shown.has(position)),
    ...all.filter((position) => shown.has(position)).map((position) => [position]),
  ];
}

/** How many words of a long text are shown by themselves, as the name of what the others carry says it. */
export const shownWords = SHOWN;

const straight = (left: number, right: number, y: number): string => `M${left} ${y}H${right}`;
const curve = (left: number, from: number, right: number, to: number): string => {
  const middle = left + (right - left) * 0.55;
  return `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}`;
};
