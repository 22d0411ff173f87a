/** Byte-level BPE, as the `tokenizers` library cuts a text: bytes, joined by the merges that were learned. */
import type { Tokenizer } from "./tokenizer";

export interface BpeData {
  pieces: string[]; // by number, bytes written as letters
  merges: [number, number][]; // which two pieces become one, the most frequent first
  special: { id: number; content: string; lstrip: boolean }[];
}

// GPT-2's way of cutting, before any merging: what belongs together is a word with the space before it
const ENDINGS = /'s|'t|'re|'ve|'m|'ll|'d/;
const WORDS = / ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+/u;
const SPACES = /\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/u;
const CUT = new RegExp([ENDINGS, WORDS, SPACES].map(({ source }) => source).join("|"), "gu");
const MASK = "[MASK]";
const REMEMBERED = 50_000; // words whose pieces are kept

export class Bpe implements Tokenizer {
  private readonly ranks: Map<number, [rank: number, joined: number]>;
  private readonly bytes: number[]; // the piece of each byte
  private readonly known = new Map<string, number[]>();
  private readonly numbers: Map<string, number>; // of words as a reader sees them
  private readonly size: number;

  constructor(
    private readonly data: BpeData,
    private readonly words_: readonly string[], // as a reader sees them
  ) {
    const { pieces, merges } = data;
    this.size = pieces.length;
    const number = new Map(pieces.map((piece, i) => [piece, i]));
    this.numbers = new Map(words_.map((word, i) => [word, i]));
    this.bytes = ALPHABET.map((letter) => number.get(letter)!);
    this.ranks = new Map(merges.map(([a, b], rank) => [this.pair(a, b), [rank, number.get(pieces[a]! + pieces[b]!)!]]));
  }

  private pair(a: number, b: number): number {
    return a * this.size + b;
  }

  encode(text: string): number[] {
    const found: number[] = [];
    for (const part of this.aroundSpecial(text.replace(/\p{Surrogate}/gu, "?")))
      if (typeof part === "number") found.push(part);
      else
        for (const [word] of (part.startsWith(" ") ? part : ` ${part}`).matchAll(CUT))
          found.push(...this.piecesOf(word));
    return found;
  }

  /** The text cut where a special piece is written; some hide the space before them too. */
  private aroundSpecial(text: string): (string | number)[] {
    const parts: (string | number)[] = [];
    let begin = 0;
    for (let at = 0; at < text.length;) {
      const special = this.data.special.find(({ content }) => text.startsWith(content, at));
      if (!special) {
        at++;
        continue;
      }
      const before = text.slice(begin, at);
      const own = special.lstrip ? before.replace(/\p{White_Space}+$/u, "") : before;
      if (own) parts.push(own);
      parts.push(special.id);
      begin = at += special.content.length;
    }
    if (begin < text.length) parts.push(text.slice(begin));
    return parts;
  }

  private piecesOf(word: string): number[] {
    let pieces = this.known.get(word);
    if (!pieces) {
      pieces = this.merged(Array.from(new TextEncoder().encode(word), (byte) => this.bytes[byte]!));
      if (this.known.size < REMEMBERED) this.known.set(word, pieces);
    }
    return pieces;
  }

  private merged(pieces: number[]): number[] {
    for (;;) {
      let [best, place, joined] = [Infinity, -1, -1];
      for (let i = 0; i + 1 < pieces.length; i++) {
        const found = this.ranks.get(this.pair(pieces[i]!, pieces[i + 1]!));
        if (found && found[0] < best) [[best, joined], place] = [found, i];
      }
      if (place < 0) return pieces;
      pieces.splice(place, 2, joined);
    }
  }

  /** The text, without the space that was put before its first word. */
  decode(ids: readonly number[]): string {
    const bytes = ids.flatMap((id) => bytesOf(this.data.pieces[id]!));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
    return text.replaceAll(MASK, ` ${MASK}`).replace(/^ /, "");
  }

  words(text: string): string[] {
    if (!text.trim()) throw new Error('the text has no words; write a sentence such as "The quick brown fox"');
    return this.encode(text).map((id) => this.words_[id]!);
  }

  joined(words: readonly string[]): string {
    return this.decode(words.map((word) => this.numbers.get(word)!));
  }

  oneWord(text: string): string {
    return this.numbers.has(text) ? text : this.words(text)[0]!;
  }
}

/** GPT-2's alphabet: printable bytes stand for themselves, the others follow from 256 on. */
const ALPHABET: readonly string[] = (() => {
  const isPlain = (byte: number): boolean =>
    (byte >= 0x21 && byte < 0x7f) || (byte >= 0xa1 && byte < 0xad) || byte >= 0xae;
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPlain(byte) ? byte : 256 + others++));
})();
const BYTES = new Map(ALPHABET.map((letter, byte) => [letter, byte]));

function bytesOf(piece: string): number[] {
  const bytes = Array.from(piece, (letter) => BYTES.get(letter));
  return bytes.every((byte) => byte !== undefined) ? bytes : [...new TextEncoder().encode(piece)];
}
