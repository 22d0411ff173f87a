/** A number with its sign, as sums are read: +0.27, −0.03; what rounds to nothing has none. */
import { fixed } from "../trace/format";

export function signed(value: number, digits: number): string {
  const size = fixed(Math.abs(value), digits);
  return Number(size) === 0 ? size : `${value < 0 ? "−" : "+"}${size}`;
}
