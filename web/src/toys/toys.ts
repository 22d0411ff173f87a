/** Toys of one's own, as TOML: opened from a text, kept where a link cannot hold them, and what is wrong with one. */
import type { Explorer } from "../explorer/explorer.svelte";
import type { Model } from "../explorer/source";
import { MOST } from "../bounds";
import { keep } from "./kept";
import { grouped } from "../trace/format";

export const isInALink = (toy: string): boolean => toy.length <= MOST.toyInALink;

/** Where a toy is wrong: the server writes `mine.toml:3:7: words.dog expects 2 numbers`. */
export interface Problem {
  said: string;
  line: number | null; // from 1
  column: number | null;
}

export function problemOf(message: string, name: string): Problem {
  const rest = message.startsWith(`${name}:`) ? message.slice(name.length + 1) : message;
  const at = /^(\d+):(\d+): /.exec(rest);
  if (!at) return { said: rest.trim(), line: null, column: null };
  return { said: rest.slice(at[0].length), line: Number(at[1]), column: Number(at[2]) };
}

/** Open the toy that a text describes, at its own sentence. What is wrong with it is thrown, as the server says it. */
export async function openToy(explorer: Explorer, name: string, toy: string): Promise<void> {
  if (toy.length > MOST.toy)
    throw new Error(
      `a toy has at most ${grouped(MOST.toy)} characters here, got ${grouped(toy.length)}; ` +
        "open it with regard open FILE",
    );
  const found = await explorer.source.ask!<Model & { words: string[] }>("toy", { model: name, toy });
  if (!isInALink(toy)) keep(name, toy);
  explorer.view.page = "explorer";
  const text = found.sentence || found.words.join(" ");
  await explorer.go({ model: name, toy, text, ...(found.next ? { next: found.next } : {}), changes: [] });
}

/** A file's name as a model is called: its last part, without signs that a terminal or a link would not show. */
export const nameOf = (file: string): string =>
  file
    .replace(/^.*[\\/]/, "")
    .replace(/[^\p{L}\p{N}._ -]/gu, "")
    .slice(0, 80) || "mine.toml";
