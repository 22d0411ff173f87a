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
    const part = parts[waiting];
    if (!part || !isWritten(part.value, match[0])) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), part: null });
    found.push({ text: match[0], part });
    end = match.index + match[0].length;
    waiting++;
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
