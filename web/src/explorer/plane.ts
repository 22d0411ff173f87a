/** Vectors in a plane: two numbers are drawn as they are, more along their two principal axes. */

export interface Projection {
  isExact: boolean;
  /** The share of the vectors' spread that the plane shows. */
  share: number;
  to: (vector: ArrayLike<number>) => [number, number];
}

export function projection(vectors: readonly ArrayLike<number>[]): Projection {
  const width = vectors[0]?.length ?? 2;
  if (width <= 2) return { isExact: true, share: 1, to: (v) => [v[0] ?? 0, v[1] ?? 0] };
  const spread = Array.from({ length: width }, (_, i) =>
    Array.from({ length: width }, (_, j) => vectors.reduce((sum, v) => sum + v[i]! * v[j]!, 0)),
  );
  const whole = spread.reduce((sum, row, i) => sum + row[i]!, 0);
  const first = principal(spread, 1);
  const rest = spread.map((row, i) => row.map((value, j) => value - first.size * first.axis[i]! * first.axis[j]!));
  const second = principal(rest, 2);
  const along = (axis: number[], v: ArrayLike<number>): number =>
    axis.reduce((sum, value, i) => sum + value * v[i]!, 0);
  return {
    isExact: false,
    share: whole ? (first.size + second.size) / whole : 1,
    to: (v) => [along(first.axis, v), along(second.axis, v)],
  };
}

/** The direction of largest spread, by repeated multiplication. */
function principal(matrix: number[][], seed: number): { axis: number[]; size: number } {
  let axis = matrix.map((_, i) => Math.sin(seed + i) + 0.1);
  let size = 0;
  for (let round = 0; round < 200; round++) {
    const next = matrix.map((row) => row.reduce((sum, value, j) => sum + value * axis[j]!, 0));
    size = Math.hypot(...next);
    if (!size) return { axis, size: 0 };
    axis = next.map((value) => value / size);
  }
  const longest = axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  const turn = Math.sign(longest) || 1; // the same way up every time
  return { axis: axis.map((value) => value * turn), size };
}
