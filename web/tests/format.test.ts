import { expect, test } from "vitest";
import { fixed, grouped, moreWords } from "../src/trace/format";
import { unlessSame } from "../src/explorer/same";
import { numbers } from "../src/trace/numbers";

/** All digits of a number, and the rule: up above a half, down below it, at a half to the even digit. */
function byDefinition(value: number, decimals: number): string {
  const [whole, part] = Math.abs(value).toFixed(80).split(".") as [string, string];
  const [kept, rest] = [whole + part.slice(0, decimals), part.slice(decimals)];
  const half = `5${"0".repeat(rest.length - 1)}`;
  const isUp = rest > half || (rest === half && Number(kept.at(-1)) % 2 === 1);
  const digits = (BigInt(kept) + (isUp ? 1n : 0n)).toString().padStart(decimals + 1, "0");
  const written = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
  return value < 0 || Object.is(value, -0) ? `-${written}` : written;
}

test("a number is rounded as its digits say, and a half to the even digit", () => {
  const values = [0, -0, 0.125, 0.375, 2.5, -2.5, 0.5, 1.005, 1e-9, 999.99995, 123456.5, 4194304.03125, -0.00005];
  for (let n = 1; n < 4000; n++) values.push(Math.sin(n) * 10 ** (n % 9), (2 * n + 1) / 2 ** (n % 13));
  for (const value of values)
    for (const decimals of [0, 1, 2, 3, 4, 7])
      expect(`${value}: ${fixed(value, decimals)}`).toBe(`${value}: ${byDefinition(value, decimals)}`);
});

test("a comma stands between thousands", () => {
  for (const count of [0, 7, 999, 1000, 12345, 999999, 1000000, 131072])
    expect(grouped(count)).toBe(count.toLocaleString("en"));
});

test("the same numbers are handed on as they were, others are not", () => {
  const keep = unlessSame();
  const first = keep(numbers([1, -0, 3, 4, 5, 6], [2, 3]));
  expect(keep(numbers([1, -0, 3, 4, 5, 6], [2, 3]))).toBe(first);
  for (const other of [
    numbers([1, -0, 3, 4, 5, 7], [2, 3]),
    numbers([1, -0, 3, 4, 5, 7], [3, 2]),
    numbers([1, 0, 3, 4, 5, 7], [3, 2]),
    null,
  ])
    expect(keep(other)).toBe(other);
});

test("one more word is one word", () => {
  expect([moreWords(1), moreWords(2), moreWords(8188)]).toEqual(["1 more word", "2 more words", "8,188 more words"]);
});
