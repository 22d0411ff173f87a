/** What each head has the habit of reading: the share that goes to the word before, the first word, the same word.
 *
 * `layer3.reads.previous[2]` is how much head 2 gives to the word before, on average over the words that have one, and
 * `reads.previous.evenly` what a head would give that reads all it may see alike.
 */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { numbers } from "../trace/numbers";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { lettersOf, mixing } from "./attending";

type Follows = (query: number, key: number, words: readonly string[]) => boolean;

const HABITS: Readonly<Record<string, Follows>> = {
  first: (query, key) => key === 0 && query > 0,
  previous: (query, key) => key === query - 1,
  two_back: (query, key) => key === query - 2,
  same: (query, key, words) => key < query && words[key] === words[query],
  induction: (query, key, words) => key > 0 && key <= query && words[key - 1] === words[query],
  punctuation: (query, key, words) => key > 0 && key !== query && isSign(words[key]!),
};

const isSign = (word: string): boolean => /^\p{P}+$/u.test(word.replace(/^[␣ ]+|[␣ ]+$/g, ""));

/** For each habit that some word could follow: `reads.NAME.which`, `.evenly`, and for each layer the heads' shares. */
export function* habitSteps(trace: Trace): Iterable<Step> {
  const seen = trace.steps.get("visible");
  const words = trace.labels.along("K") ?? [];
  const { length } = words;
  if (!seen || seen.shape.length !== 2 || seen.shape[0] !== length || seen.shape[1] !== length) return;
  const visible = Array.from({ length: length ** 2 }, (_, place) => seen.value.data[place] !== 0);
  const count = words.map((_, query) =>
    Math.max(1, visible.slice(query * length, (query + 1) * length).filter(Boolean).length),
  );
  const constant = (name: string, data: number[], shape: readonly number[], axes: string): Step =>
    new Step(name, new Given(numbers(data, shape), axes, "constant"));
  const shares = visible.map((sees, place) => (sees ? 1 / count[Math.floor(place / length)]! : 0));
  const even = constant("reads.even", shares, seen.shape, seen.axes);
  yield even;
  for (const [name, follows] of Object.entries(HABITS)) {
    const mask = visible.map((sees, place) => sees && follows(Math.floor(place / length), place % length, words));
    const followed = words.filter((_, query) => mask.slice(query * length, (query + 1) * length).some(Boolean)).length;
    if (!followed) continue;
    const data = mask.map((is) => (is ? 1 / followed : 0));
    const which = constant(`reads.${name}.which`, data, seen.shape, seen.axes);
    yield* [which, new Step(`reads.${name}.evenly`, new Contract(`${seen.axes},${seen.axes}->`), [even, which])];
    for (const [layer, mix] of mixing(trace)) {
      const { weights: axes } = lettersOf(mix);
      const op = new Contract(`${axes},${axes.slice(1)}->${axes[0]!}`);
      yield new Step(`${layer}.reads.${name}`, op, [mix.inputs[0]!, which]);
    }
  }
  yield* broad(trace, count);
}

/** Entropy, as a share of the largest there can be. */
function* broad(trace: Trace, count: readonly number[]): Iterable<Step> {
  const wide = count.filter((seen) => seen > 1).length;
  if (!wide) return;
  const data = count.map((seen) => (seen > 1 ? 1 / Math.log(seen) / wide : 0));
  let which: Step | null = null;
  for (const layer of mixing(trace).keys()) {
    const spread = trace.measure("entropy").get(`${layer}.entropy`)!;
    if (!which) {
      which = new Step("reads.broad.which", new Given(numbers(data, [data.length]), spread.axes.slice(1), "constant"));
      yield* [which, new Step("reads.broad.evenly", new Given(numbers([1], []), "", "constant"))];
    }
    const op = new Contract(`${spread.axes},${spread.axes.slice(1)}->${spread.axes[0]!}`);
    yield new Step(`${layer}.reads.broad`, op, [spread, which]);
  }
}
