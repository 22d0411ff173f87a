/** The text of a number's arithmetic, cut where a number stands that can be opened itself. */
import type { Part } from "../run/run";

export interface Segment {
  text: string;
  part: Part | null;
}

const NUMBER = /-?(?:\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?|∞)/g;

/** `0.80·0.80 + 0.60·0.60` and the cells it names, in reading order. */
export function segments(text: string, parts: readonly Part[]): Segment[] {
  const found: Segment[] = [];
  let waiting = 0;
  let end = 0;
  for (const match of text.matchAll(NUMBER)) {
    const next = parts[waiting];
    const isNext = next !== undefined && isWritten(next.value, match[0]);
    // a cell that was read twice may be told once: x·x
    const part = isNext ? next : parts.slice(0, waiting).findLast(({ value }) => isWritten(value, match[0]));
    if (!part) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), part: null });
    found.push({ text: match[0], part });
    end = match.index + match[0].length;
    if (isNext) waiting++;
  }
  if (end < text.length) found.push({ text: text.slice(end), part: null });
  return found;
}

/** Whether a number is what is written, to the digits that are written. */
function isWritten(value: number, written: string): boolean {
  if (written.includes("∞")) return !Number.isFinite(value);
  const [mantissa, exponent = "0"] = written.split("e");
  const decimals = (mantissa!.split(".")[1] ?? "").length;
  return Math.abs(Number(written) - value) <= 0.500001 * 10 ** (Number(exponent) - decimals);
}
