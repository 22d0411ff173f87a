/** Tokens for toys: the words and signs of a text, as they are written (Python's text/words.py). */
import { sha256 } from "./sha256";
import type { Tokenizer } from "./tokenizer";

const JOINS = "'’-"; // inside a word: didn't, well-known
const EMOJI_PARTS = "\u200d\ufe0f"; // joiner, style
const LETTER = /^[\p{L}\p{N}_]$/u;
const MARK = /^[\p{M}\u{1f3fb}-\u{1f3ff}]$/u; // accents, vowel signs, skin tones
const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]$/u;

/** Words with their apostrophes and accents; every other sign by itself; nothing invisible. */
export function wordsOf(text: string): string[] {
  const signs = Array.from(text.replace(/\p{Surrogate}/gu, "?").normalize("NFC"));
  const words: string[] = [];
  let previous = "";
  signs.forEach((sign, here) => {
    if (words.length && previous && continues(words.at(-1)!, previous, sign, signs[here + 1] ?? ""))
      words.push(words.pop()! + sign);
    else if (INVISIBLE.test(sign)) sign = EMOJI_PARTS.includes(sign) ? sign : "";
    else words.push(sign);
    previous = sign;
  });
  if (!words.length) throw new Error('the text has no words; write a sentence such as "The quick brown fox"');
  return words;
}

/** Whether a sign belongs to the word before it. */
function continues(word: string, previous: string, sign: string, following: string): boolean {
  if (MARK.test(sign) || EMOJI_PARTS.includes(sign) || previous === EMOJI_PARTS[0]) return true;
  if (!LETTER.test(Array.from(word)[0]!)) return false;
  return LETTER.test(sign) || (JOINS.includes(sign) && LETTER.test(previous) && LETTER.test(following));
}

const [STOP, ENDS] = [".", [".", "!", "?"]]; // the full stop; what a sentence may begin after

/** The words of a text as a toy knows them: a sentence may begin with a capital and end in a full stop that are no part
 * of its words. Words that are known both with a capital and without stay two words. */
export class KnownWords implements Tokenizer {
  constructor(private readonly known: { has(word: string): boolean }) {}

  words(text: string): string[] {
    const words = wordsOf(text);
    if (words.length > 1 && words.at(-1) === STOP && words.at(-2) !== STOP && !this.known.has(STOP)) words.pop();
    return words.map((word, i) => (ENDS.includes(words[i - 1] ?? STOP) ? this.asKnown(word) : word));
  }

  joined(words: readonly string[]): string {
    return words.join(" ");
  }

  oneWord(text: string): string {
    const words = wordsOf(text);
    if (words.length !== 1) throw new Error(`the next word must be one word, got ${JSON.stringify(text)}`);
    return words[0]!;
  }

  private asKnown(word: string): string {
    const [first = "", ...rest] = word;
    const small = first.toLowerCase() + rest.join("");
    return !this.known.has(word) && this.known.has(small) ? small : word;
  }
}

const DRAWS = 64; // of a vector that no known word has

/** A vector for a word that a toy does not know: from the SHA-256 of the word, so it is the same everywhere, and none
 * of the vectors that are known (rows of `width` numbers): on a grid of tenths two words easily meet. */
export function freshVector(word: string, width: number, known: ArrayLike<number>): Float64Array {
  const drawn: number[] = [];
  let vector = new Float64Array(width);
  for (let attempt = 0; attempt < DRAWS; attempt++) {
    while (drawn.length < (attempt + 1) * width) drawn.push(...sha256(`${word}/${drawn.length}`));
    const places = attempt < DRAWS / 2 ? 1 : 2; // a toy may have a word at every tenth
    const shares = drawn.slice(attempt * width, (attempt + 1) * width);
    vector = Float64Array.from(shares, (byte) => Number((0.1 + (0.8 * byte) / 255).toFixed(places)));
    if (!hasRow(known, vector)) break;
  }
  return vector;
}

function hasRow(table: ArrayLike<number>, row: Float64Array): boolean {
  for (let at = 0; at < table.length; at += row.length)
    if (row.every((value, i) => table[at + i] === value)) return true;
  return false;
}
