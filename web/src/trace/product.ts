/** The product of two matrices as they lie in memory, fast: what a contraction of two large arrays comes down to. */

/** Where the cells of two matrices and of their product lie: for each row, column and summed place, how far along. */
export interface Layout {
  rows: Int32Array; // of a
  columns: Int32Array; // of b
  summedA: Int32Array;
  summedB: Int32Array;
  resultRows: Int32Array;
  resultColumns: Int32Array;
}

const PANEL = 8; // columns that are laid out side by side: with as many summed places, they fit in a near cache
const DEPTH = 1024; // summed places taken at a time

/** result += a · b, for the matrices that begin at these places.
 *
 * Cells are first laid out in the order in which they are read; then four rows meet two columns at a time, so that each
 * number that is read serves several products.
 */
export function addProduct(
  result: Float64Array,
  atResult: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  layout: Layout,
): void {
  const { rows, columns, summedA, summedB, resultRows, resultColumns } = layout;
  const [height, width, depth] = [rows.length, columns.length, summedA.length];
  const left = new Float64Array(4 * Math.ceil(height / 4) * Math.min(depth, DEPTH));
  const panel = new Float64Array(PANEL * Math.min(depth, DEPTH));
  for (let begin = 0; begin < depth; begin += DEPTH) {
    const K = Math.min(DEPTH, depth - begin);
    for (let m = 0; m < height; m++)
      for (let k = 0, from = atA + rows[m]!, to = m * K; k < K; k++) left[to + k] = a[from + summedA[begin + k]!]!;
    for (let first = 0; first < width; first += PANEL) {
      const count = Math.min(PANEL, width - first);
      if (count < PANEL) panel.fill(0);
      for (let n = 0; n < count; n++)
        for (let k = 0, from = atB + columns[first + n]!, to = n * K; k < K; k++)
          panel[to + k] = b[from + summedB[begin + k]!]!;
      for (let n = 0; n < count; n += 2) {
        const one = resultColumns[first + n]!;
        const isPair = n + 1 < count;
        const two = isPair ? resultColumns[first + n + 1]! : 0;
        for (let m = 0; m < height; m += 4) {
          const b0 = n * K;
          const b1 = b0 + K;
          const a0 = m * K;
          const a1 = a0 + K;
          const a2 = a1 + K;
          const a3 = a2 + K;
          let c00 = 0,
            c01 = 0,
            c10 = 0,
            c11 = 0,
            c20 = 0,
            c21 = 0,
            c30 = 0,
            c31 = 0;
          for (let k = 0; k < K; k++) {
            const y0 = panel[b0 + k]!;
            const y1 = panel[b1 + k]!;
            let x = left[a0 + k]!;
            c00 += x * y0;
            c01 += x * y1;
            x = left[a1 + k]!;
            c10 += x * y0;
            c11 += x * y1;
            x = left[a2 + k]!;
            c20 += x * y0;
            c21 += x * y1;
            x = left[a3 + k]!;
            c30 += x * y0;
            c31 += x * y1;
          }
          const rest = height - m;
          let to = atResult + resultRows[m]!;
          result[to + one]! += c00;
          if (isPair) result[to + two]! += c01;
          if (rest < 2) continue;
          to = atResult + resultRows[m + 1]!;
          result[to + one]! += c10;
          if (isPair) result[to + two]! += c11;
          if (rest < 3) continue;
          to = atResult + resultRows[m + 2]!;
          result[to + one]! += c20;
          if (isPair) result[to + two]! += c21;
          if (rest < 4) continue;
          to = atResult + resultRows[m + 3]!;
          result[to + one]! += c30;
          if (isPair) result[to + two]! += c31;
        }
      }
    }
  }
}
