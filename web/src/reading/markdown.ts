/** Markdown that is simple enough to be shown as meant: headings, lists, code, bold. Everything else stays text. */
import type { Piece } from "./reading";

export type Kind = "heading" | "item" | "code" | "table" | "fence" | "text" | "blank";

export interface Shaped {
  kind: Kind;
  level: number; // of a heading, or how far an item is moved in
  cut: number; // characters of its beginning that are signs
}

export const isMarkdown = (name: string): boolean => !/\.(html?|tex|ipynb|py|json)$/i.test(name);

/** What each line is, from the first to the last: code goes on until its fence is closed. */
export function shapes(lines: readonly string[]): Shaped[] {
  let isCode = false;
  return lines.map((line): Shaped => {
    if (/^\s*(```|~~~)/.test(line)) {
      isCode = !isCode;
      return { kind: "fence", level: 0, cut: 0 };
    }
    if (isCode || /^(?: {4}|\t)/.test(line)) return { kind: "code", level: 0, cut: 0 };
    const heading = /^(#{1,6}) +/.exec(line);
    if (heading) return { kind: "heading", level: heading[1]!.length, cut: heading[0].length };
    const item = /^( *)[-*+] +/.exec(line);
    if (item) return { kind: "item", level: Math.floor(item[1]!.length / 2), cut: item[0].length };
    if (/^\s*\|/.test(line)) return { kind: "table", level: 0, cut: 0 };
    return { kind: line.trim() ? "text" : "blank", level: 0, cut: 0 };
  });
}

export interface Run {
  text: string;
  style: "" | "bold" | "code";
}

/** A piece of prose without its signs: **bold** and `code`; signs that are left alone by a cut are dropped. */
export function styled(text: string): Run[] {
  const found: Run[] = [];
  for (const part of text.split(/(\*\*[^*]+\*\*|`[^`]+`)/)) {
    if (/^\*\*[^*]+\*\*$/.test(part)) found.push({ text: part.slice(2, -2), style: "bold" });
    else if (/^`[^`]+`$/.test(part)) found.push({ text: part.slice(1, -1), style: "code" });
    else if (part) found.push({ text: part.replaceAll("**", ""), style: "" });
  }
  return found;
}

/** The pieces of a line without the signs at its beginning. */
export function withoutSigns(pieces: readonly Piece[], cut: number): Piece[] {
  let left = cut;
  return pieces.map((piece) => {
    const off = Math.min(left, piece.text.length);
    left -= off;
    return { ...piece, text: piece.text.slice(off) };
  });
}
