/** Words for positions: which token, which word of the vocabulary a number belongs to. */
import { near, NotFound } from "./near";

export const AXIS_WORDS: Readonly<Record<string, string>> = {
  B: "batch", T: "token", Q: "query", K: "key", M: "token that predicts", H: "head", G: "key/value head",
  D: "dimension of the head", J: "dimension of all heads", C: "dimension", E: "dimension",
  F: "dimension of the MLP", U: "dimension of the word",
  V: "word", I: "word read", N: "distance", P: "position", S: "segment", W: "word of a sum", X: "word of a sum",
  Z: "word of a sum",
}; // prettier-ignore
const PLAIN_WORD = /^[\p{L}\p{Nl}\p{No}](?:[\p{L}\p{N}_'’-])*$/u;

/** For each axis letter, the words along it. An axis without words is counted from 0. */
export class Labels {
  private readonly repeated = new Map<string, Set<string>>();

  constructor(readonly words: Readonly<Record<string, readonly string[]>>) {
    for (const [letter, along] of Object.entries(words)) this.repeated.set(letter, repeatedIn(along));
  }

  along(letter: string): readonly string[] | undefined {
    return Object.hasOwn(this.words, letter) ? this.words[letter] : undefined;
  }

  private isRepeated(letter: string, word: string): boolean {
    return this.repeated.get(letter)?.has(word) ?? false;
  }

  /** How a position is written inside an address. */
  word(letter: string, position: number): string {
    const word = this.along(letter)?.[position];
    if (word === undefined) return String(position);
    const written = PLAIN_WORD.test(word) ? word : JSON.stringify(word);
    return this.isRepeated(letter, word) ? `${written}@${position}` : written;
  }

  /** The word itself. */
  plain(letter: string, position: number): string {
    return this.along(letter)?.[position] ?? String(position);
  }

  /** The word as a table shows it: with its position where it occurs more than once. */
  shown(letter: string, position: number): string {
    const word = this.plain(letter, position);
    return this.isRepeated(letter, word) ? `${word}@${position}` : word;
  }

  /** The same as a person reads it: repeated words are told apart by a small number below the line. */
  written(letter: string, position: number): string {
    return subscripted(this.shown(letter, position));
  }

  /** The position that a part of an address means; an error lists what is near. */
  position(letter: string, size: number, written: string): number {
    const axis = AXIS_WORDS[letter] ?? letter;
    if (/^-?\d+$/.test(written)) {
      const position = Number(written);
      if (position >= -size && position < size) return (position + size) % size;
      throw new NotFound(`${axis} ${written} does not exist; there are ${size}, from 0`);
    }
    const [word, at] = split(written);
    const along = this.along(letter);
    if (!along) throw new NotFound(`the axis ${axis} has no words; give a number from 0 to ${size - 1}`);
    const places = along.map((_, i) => i).filter((i) => along[i] === word);
    if (at !== null) {
      if (places.includes(at)) return at;
      throw new NotFound(`position ${at} is not '${word}'; there are ${this.choices(letter, word, places)}`);
    }
    if (!places.length) throw new NotFound(`no ${axis} '${word}' here; ${near(word, along)}`);
    if (places.length > 1)
      throw new NotFound(`'${word}' occurs ${places.length} times; say which: ${this.choices(letter, word, places)}`);
    return places[0]!;
  }

  private choices(letter: string, word: string, places: number[]): string {
    return (
      places
        .slice(0, 8)
        .map((p) => this.word(letter, p))
        .join(", ") || near(word, this.along(letter) ?? [])
    );
  }
}

const known = new WeakMap<readonly string[], Set<string>>(); // a vocabulary is looked through once, not for every run

function repeatedIn(words: readonly string[]): Set<string> {
  let found = known.get(words);
  if (!found) {
    const seen = new Set<string>();
    found = new Set(words.filter((word) => seen.has(word) || !seen.add(word)));
    known.set(words, found);
  }
  return found;
}

/** The word and the position of `the@4`, `"an odd one"@4`. */
function split(written: string): [string, number | null] {
  const quoted = /^("(?:[^"\\]|\\.)*")(?:@(\d+))?$/s.exec(written);
  if (quoted) {
    try {
      return [JSON.parse(quoted[1]!) as string, quoted[2] === undefined ? null : Number(quoted[2])];
    } catch {
      throw new NotFound(`${written} is not a quoted word; write it as in JSON, with quotes at both ends`);
    }
  }
  const numbered = /^(.+)@(\d+)$/s.exec(written);
  return numbered ? [numbered[1]!, Number(numbered[2])] : [written, null];
}

/** the@4 as it is read: the₄. */
export const subscripted = (word: string): string =>
  word.replace(/@(\d+)$/, (_, position: string) =>
    [...position].map((digit) => String.fromCodePoint(0x2080 + Number(digit))).join(""),
  );
