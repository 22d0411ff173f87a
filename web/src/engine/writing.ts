/** Words that follow a text: the model predicts one, it is added, and so on (Python's models/writing.py). */
import type { State } from "../state";
import type { Model } from "./model";

export interface Writing {
  count: number;
  temperature: number;
  top: number; // choose among this many; 0: among all
  seed: number;
  candidates: number;
}

interface Written {
  token: string;
  text: string;
  probability: number;
  candidates: { word: string; probability: number; cell: string }[];
}

/** One word after the other; between two of them, others may ask something. */
export async function writeOn(
  model: Model,
  state: State,
  asked: Partial<Writing>,
  pause: () => Promise<void>,
): Promise<object> {
  const { count = 8, temperature = 0, top = 0, seed = 0, candidates = 5 } = asked;
  const { model: name, tokens, task, end } = model.data;
  if (task.does_not_write !== null)
    throw new Error(`${name} ${task.does_not_write}, so it cannot continue a text; english can`);
  if (state.changes.length)
    throw new Error("a changed run cannot continue the text; undo the changes, or train the model");
  const draw = generator(seed);
  let words: readonly string[] = model.tokenizer.words(state.text);
  const written: Written[] = [];
  while (written.length < count && words.length <= tokens) {
    const trace = model.read(words, state);
    const [logits, shares] = [trace.array("logits").data, trace.array("probabilities").data];
    const all = trace.labels.along("V")!;
    const token = all[chosen(logits, temperature, top, draw)]!;
    words = [...words, token];
    const best = Array.from(shares.keys()).sort((a, b) => shares[b]! - shares[a]! || a - b);
    written.push({
      token,
      text: model.tokenizer.joined(words),
      probability: shares[all.indexOf(token)]!,
      candidates: best
        .slice(0, candidates)
        .map((i) => ({ word: all[i]!, probability: shares[i]!, cell: `probabilities[${i}]` })),
    });
    if (token === end) break;
    await pause();
  }
  const ended = written.at(-1)?.token === end ? "end" : written.length < count ? "full" : "count";
  return { tokens: written, ended, text: written.at(-1)?.text ?? state.text };
}

/** The number of a word: the most probable at temperature 0, else drawn from softmax(logits / temperature). */
function chosen(logits: Float64Array, temperature: number, top: number, draw: () => number): number {
  const order = Array.from(logits.keys()).sort((a, b) => logits[b]! - logits[a]! || a - b);
  if (temperature === 0) return order[0]!;
  const among = top ? order.slice(0, top) : order;
  const shares = among.map((i) => Math.exp((logits[i]! - logits[order[0]!]!) / temperature));
  let left = draw() * shares.reduce((sum, share) => sum + share, 0);
  return among[shares.findIndex((share) => (left -= share) < 0)] ?? among[0]!;
}

/** Numbers from 0 to 1 that look random, and are the same for the same seed (mulberry32). Python draws others. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
