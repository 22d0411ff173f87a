/** A typed answer: right, nearly, or a mistake that has a name. */
import { formatInColumn } from "../trace/format";
import type { Answer, Card, Mistake } from "./card";

export interface Verdict {
  kind: "right" | "mistake" | "nearly" | "wrong" | "unreadable";
  name: string;
  says: string;
}

/** 0.75 · 0,75 · 75 % · 2.03/2.70 · −1: as people write numbers. Null where it is none. */
export function numberFrom(written: string): number | null {
  const bare = written.trim().replaceAll("−", "-").replaceAll(",", ".").replaceAll(/\s/g, "");
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\/((?:\d+\.?\d*|\.\d+)))?(%?)$/i.exec(bare);
  if (!found) return null;
  const value = (Number(found[1]) / Number(found[2] ?? 1)) * (found[3] ? 0.01 : 1);
  return Number.isFinite(value) ? value : null;
}

const decimalsOf = (written: string): number =>
  /[/%e]/i.test(written) ? 15 : (written.trim().replace(",", ".").split(".")[1] ?? "").length;

/** Half of the last digit, and what floating-point numbers need beside it. */
const isNear = (a: number, b: number, decimals: number): boolean => Math.abs(a - b) <= 0.5 * 10 ** -decimals + 1e-9;

export const written = (card: Card, value: Answer): string =>
  typeof value === "string" ? value : formatInColumn(value, card.decimals);

const made = ({ name, says }: Mistake): Verdict => ({ kind: "mistake", name, says });

export function check(card: Card, typed: string): Verdict {
  const { answer } = card;
  return typeof answer === "string" ? checkWord(card, answer, typed) : checkNumber(card, answer, typed);
}

function checkWord(card: Card, answer: string, typed: string): Verdict {
  const same = (value: Answer): boolean => String(value).toLowerCase() === typed.trim().toLowerCase();
  if (same(answer)) return { kind: "right", name: "right", says: "" };
  const mistake = card.mistakes.find((one) => same(one.value));
  if (mistake) return made(mistake);
  const isOffered = card.choices.some(same);
  return isOffered
    ? { kind: "wrong", name: "no", says: `It is not ${typed.trim()}.` }
    : { kind: "unreadable", name: "one of these", says: `Choose one of ${card.choices.join(", ")}.` };
}

function checkNumber(card: Card, answer: number, typed: string): Verdict {
  const value = numberFrom(typed);
  if (value === null)
    return {
      kind: "unreadable",
      name: "a number",
      says: `“${typed.trim()}” is not a number. Write it like ${(0.25).toFixed(Math.max(1, card.decimals))}.`,
    };
  const { decimals } = card;
  if (isNear(value, answer, decimals)) return { kind: "right", name: "right", says: "" };
  const given = Math.min(decimals, decimalsOf(typed));
  const isCoarse = given < decimals && isNear(value, answer, given);
  if (isCoarse && given > 0)
    return { kind: "nearly", name: "more digits", says: `Right so far. Give ${decimals} decimals.` };
  const near = card.mistakes
    .filter(
      (one): one is Mistake & { value: number } =>
        typeof one.value === "number" && isNear(value, one.value, given || decimals),
    )
    .toSorted((a, b) => Math.abs(a.value - value) - Math.abs(b.value - value))[0];
  if (near) return made(near);
  if (isCoarse) return { kind: "nearly", name: "more digits", says: `Right so far. Give ${decimals} decimals.` };
  const unit = 10 ** -decimals;
  if (Math.abs(value - answer) < 1.5 * unit && decimals > 0) {
    const isCut = isNear(value, Math.trunc(answer / unit) * unit, decimals + 2);
    return isCut
      ? {
          kind: "nearly",
          name: "cut off, not rounded",
          says: "The digits that follow are half or more: the last one goes up.",
        }
      : {
          kind: "nearly",
          name: "rounding",
          says: "Off by one in the last digit. Round only at the end, not on the way.",
        };
  }
  if (answer !== 0 && isNear(-value, answer, decimals))
    return { kind: "mistake", name: "the sign", says: "The number is right, its sign is not." };
  if (answer !== 0 && isNear(value / 100, answer, decimals))
    return { kind: "nearly", name: "in percent", says: "That is in percent. Write it as a share of 1, or with a %." };
  return { kind: "wrong", name: "not yet", says: value > answer ? "It is less than that." : "It is more than that." };
}
