/** A map of one head's weights: what a long text is drawn from. */

export interface TileAsked {
  layer: number;
  head: number;
  rows: [number, number] | null;
  keys: [number, number] | null;
  height: number;
  width: number;
}

export interface Tile {
  rows: [number, number];
  keys: [number, number];
  height: number;
  width: number;
  mean: number[];
  max: number[];
}

/** A part of one head's weights, pooled to few cells, as the server's /api/tile does it. */
export function pooled(values: Float64Array, shape: readonly number[], asked: TileAsked): Tile {
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
