/** A part of an array: a position along some axes, everything along the others. */
import { offset, placeOf, zeros, type Numbers } from "../trace/numbers";

export function sliced(values: Numbers, at: readonly (number | null)[]): Numbers {
  const open = at
    .map((place, axis) => [place, axis] as const)
    .filter(([place]) => place === null)
    .map(([, axis]) => axis);
  const result = zeros(
    open.map((axis) => values.shape[axis]!),
    values.dtype,
  );
  for (let cell = 0; cell < result.data.length; cell++) {
    const place = at.map((position) => position ?? 0);
    placeOf(result.shape, cell).forEach((position, i) => (place[open[i]!] = position));
    result.data[cell] = values.data[offset(values.shape, place)]!;
  }
  return result;
}
