/** Runs side by side, as Python tells them: what was read in each, drawn as lines from run to run. */
export interface Frames {
  title: string;
  says: string;
  by: string; // what the name of a row says: update, d_k
  columns: { name: string; panel: string }[]; // those of one panel share a scale
  rows: { name: string; values: number[]; written: string[] }[];
}

export interface Panel {
  name: string;
  columns: number[];
  low: number;
  high: number;
}

/** Whether its runs follow one another: each is called by a number. Others are only beside one another. */
export const isFilm = ({ rows }: Frames): boolean =>
  rows.length > 1 && rows.every(({ name }) => name !== "" && Number.isFinite(Number(name)));

const names = ({ rows }: Frames): string => rows.map(({ name }) => name).join();

/** Those that one slider moves through together, and the others. */
export function apart(all: readonly Frames[]): { films: Frames[]; tables: Frames[] } {
  const first = all.find(isFilm);
  const films = all.filter((one) => first && names(one) === names(first));
  return { films, tables: all.filter((one) => !films.includes(one)) };
}

/** The columns by their panels, each with a scale that reaches from zero, or below, to the largest number in it. */
export function panelsOf({ columns, rows }: Frames): Panel[] {
  return [...new Set(columns.map(({ panel }) => panel))].map((name) => {
    const own = columns.flatMap(({ panel }, i) => (panel === name ? [i] : []));
    const values = rows.flatMap((row) => own.map((i) => row.values[i]!));
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    return { name, columns: own, low, high: high > low ? high : low + 1 };
  });
}

/** What tells a column from the others of its panel. */
export const labelOf = (name: string, panel: string): string =>
  panel && name.startsWith(panel) ? name.slice(panel.length).replace(/^[\s,]+/, "") : name;

/** Places near those that are wanted, in their order, so far apart that words on them can be read. */
export function spread(wanted: readonly number[], least: number, [top, bottom]: readonly [number, number]): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const found = [...wanted];
  let free = top;
  for (const i of order) free = (found[i] = Math.max(found[i]!, free)) + least;
  let room = bottom;
  for (const i of order.toReversed()) room = (found[i] = Math.min(found[i]!, room)) - least;
  return found;
}
