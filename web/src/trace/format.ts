/** Numbers as they are written, digit for digit as Python writes them (halves go to the even digit). */

/** `value.toFixed(decimals)`, but an exact half goes to the even digit: 0.125 is 0.12. */
export function fixed(value: number, decimals: number): string {
  const written = value.toFixed(decimals);
  if (!mayBeHalf(Math.abs(value) * 10 ** decimals)) return negativeZero(value, written);
  if (!isHalf(Math.abs(value).toFixed(Math.min(100, decimals + 60)), decimals)) return negativeZero(value, written);
  const down = Math.abs(value)
    .toFixed(decimals + 1)
    .slice(0, -1)
    .replace(/\.$/, "");
  const isEven = Number(down.at(-1)) % 2 === 0;
  return isEven ? (value < 0 ? `-${down}` : down) : written;
}

const negativeZero = (value: number, written: string): string =>
  Object.is(value, -0) || (value < 0 && !written.startsWith("-")) ? `-${written.replace("-", "")}` : written;

/** Whether it is worth writing all digits out, which is slow: far from a half, rounding cannot make one. */
const mayBeHalf = (scaled: number): boolean => !(scaled < 1e9 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-5);

const isHalf = (exact: string, decimals: number): boolean => /^50*$/.test((exact.split(".")[1] ?? "").slice(decimals));

export const rounded = (value: number, decimals: number): number => Number(fixed(value, decimals));

/** Python's `.{digits}e`. */
export function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const size = Math.abs(Number(exponent)).toString().padStart(2, "0");
  return `${mantissa}e${exponent!.startsWith("-") ? "-" : "+"}${size}`;
}

/** Python's `.{digits}g`; with `full`, `#.{digits}g`, which keeps zeros at the end. */
export function general(value: number, digits: number, full = false): string {
  if (value === 0) return full ? (0).toFixed(digits - 1) : "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  const trimmed = (written: string): string =>
    full || !written.includes(".") ? written : written.replace(/\.?0+(?=e|$)/, "");
  if (exponent < -4 || exponent >= digits) return trimmed(scientific(value, digits - 1));
  return trimmed(fixed(value, Math.max(0, digits - 1 - exponent)));
}

function notFinite(value: number): string {
  return value === -Infinity ? "-∞" : value === Infinity ? "∞" : "not a number";
}

/** A measured value: fixed decimals, and as many digits that count where those would cut a small number short. */
export function formatNumber(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  // 0.05 is not cut short, even computed as 0.05000000000000001
  const cutShort = Math.abs(rounded(value, decimals) - value) > 1e-9 * size;
  if (size >= 1e7) return scientific(value, Math.max(decimals - 1, 1));
  if (size < 0.1 && cutShort) return general(value, decimals, true);
  return fixed(size ? value : 0, decimals);
}

let isExact = false;
/** Whether tables write small numbers as powers of ten; else they are rounded like their neighbours. */
export function writeExactly(exact: boolean): void {
  isExact = exact;
}

/** A number of a table: fixed decimals, so that columns line up. */
export function formatInColumn(value: number, decimals: number): string {
  const size = Math.abs(value);
  if (value && size < 0.5 * 10 ** -decimals) return isExact ? scientific(value, 0) : fixed(value, decimals);
  return size > 0 && size < 1e7 ? fixed(value, decimals) : formatNumber(value, decimals);
}

/** A count with a comma between thousands. The browser's own way loads a language first, which takes longer than the
 * rest of the page. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** How many words are left out. */
export const moreWords = (count: number): string => `${grouped(count)} more word${count === 1 ? "" : "s"}`;

/** A constant of the recipe, as short as it can be said. */
export function formatConstant(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value, 2);
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value === 0 ? 0 : value) : general(value, 6);
}

export function latexNumber(written: string): string {
  const found = /^(.*?)e([+-]?\d+)$/.exec(written);
  return found ? `${found[1]} \\cdot 10^{${Number(found[2])}}` : written.replaceAll("∞", "\\infty");
}

/** Python's repr of a float: the shortest that reads back as the same number. */
export function pythonNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "np.nan" : value > 0 ? "np.inf" : "-np.inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16)
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const plain = String(value);
  return plain.includes(".") ? plain : `${plain}.0`;
}
