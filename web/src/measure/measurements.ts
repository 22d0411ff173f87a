/** What can be measured of a run: each measurement is further steps of the trace, made when first asked for. */
import { DIRECT, FLOW, SLOPE, type Holding } from "../trace/holding";
import { near, NotFound } from "../trace/near";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { alikeSteps } from "./alike";
import { distanceSteps, entropySteps, receivedSteps, sentSteps } from "./attending";
import { blameSteps, ratioSteps } from "./blame";
import { gradientGuessSteps, rolloutSteps } from "./checking";
import { contributionSteps } from "./contributions";
import { cutSteps } from "./cutting";
import { flowSteps } from "./flowing";
import { habitSteps } from "./habits";
import { insteadSteps } from "./instead";
import { afterSteps, guessingSteps } from "./learning";
import { marginSteps } from "./margin";
import { nearSteps, SUM } from "./near";
import { gravitySteps } from "./pulling";
import { saysSteps } from "./saying";
import { sentenceSteps } from "./sentence";
import { averageSteps, othersSteps } from "./reading";
import {
  restOfBiases, restOfContributions, restOfPairs, restOfProbabilities, restOfWeights, restOfWords, sumSteps,
} from "./together"; // prettier-ignore
import { withoutSteps } from "./without";

/** How its steps are called (a pattern of the names), and how they are made. */
export interface Measurement {
  name: string;
  pattern: RegExp;
  make: (trace: Trace) => Iterable<Step>;
}

/** The directions toward the margin, with something held. */
const directions =
  (holding: Holding) =>
  (trace: Trace): readonly Step[] =>
    trace.backward("margin", holding).gradients;

const made = (name: string, pattern: RegExp, make: Measurement["make"]): Measurement => ({ name, pattern, make });

/** Directions first: margin.toward is one. */
export const MEASUREMENTS: readonly Measurement[] = [
  made("toward", /\.toward\b/, directions(FLOW)),
  made("direct", /\.direct\b/, directions(DIRECT)),
  made("slope", /\.slope\b/, directions(SLOPE)),
  made("margin", /^margin\b/, marginSteps),
  made("contribution", /(^|\.)contribution\b/, contributionSteps),
  made("without", /^without\b/, withoutSteps),
  made("says", /(^|\.)says\./, saysSteps),
  made("ratio", /^blame\.\w+\.ratio$/, ratioSteps),
  made("blame", /^blame\b|\.blame_square$/, blameSteps),
  made("after", /(^|\.)after\./, afterSteps),
  made("instead", /^instead\./, insteadSteps),
  made("guessing", /^guessing\b/, guessingSteps),
  made("by_gradient", /(^|\.)by_gradient$/, gradientGuessSteps),
  made("rollout", /(^|\.)rollout\b/, rolloutSteps),
  made("flow", /(^|\.)flow\b|\.carried(\.each)?$|\.constant$/, flowSteps),
  made("sent", /(^|\.)(sent|value_size|value_square|weight_size)$/, sentSteps),
  made("entropy", /(^|\.)entropy\b/, entropySteps),
  made("distance", /(^|\.)(distance|words_apart)$/, distanceSteps),
  made("average_word", /(^|\.)average_word\b|^visible\.count$/, averageSteps),
  made("others", /(^|\.)others\b/, othersSteps),
  made("reads", /(^|\.)reads\./, habitSteps),
  made("received", /(^|\.)received$/, receivedSteps),
  made("sentence", /^(sentence|pooled)\b/, sentenceSteps),
  made("sum", /(^|\.)(weights|probabilities)\.sum$/, sumSteps),
];

/** What exists for every number: gravity3 is that of the word at 3, rest4 what four leave over. */
const NUMBERED: readonly [pattern: RegExp, make: (trace: Trace, ...numbers: number[]) => Iterable<Step>][] = [
  [/(?:^|\.)(alike(\d+))(?=\.|$)/, alikeSteps],
  [/(?:^|\.)(gravity(\d+))(?=\.|$)/, gravitySteps],
  [/(?:^|\.)(probabilities\.rest(\d+))(?=\.|$)/, restOfProbabilities],
  [/(?:^|\.)(weights\.rest(\d+))(?=\.|$)/, restOfWeights],
  [/(?:^|\.)(contribution\.rest(\d+))(?=\.|$)/, restOfContributions],
  [/(?:^|\.)(flow\.biases\.rest(\d+))(?=\.|$)/, restOfBiases],
  [/(?:^|\.)(flow\.rest(\d+))(?=\.|$)/, restOfPairs],
  [/(?:^|\.)(flow\.words\.rest(\d+))(?=\.|$)/, restOfWords],
  [/^(layer(\d+)\.cut(\d+)_(\d+))(?=\.|$)/, cutSteps],
  [/^(layer(\d+)\.cut(\d+)_(\d+)_(\d+))(?=\.|$)/, cutSteps],
];

const NEAR = new RegExp(`(?:^|\\.)(near(${SUM}))(?=\\.|$)`);

function numbered(name: string): Measurement | null {
  const asked = NEAR.exec(name);
  if (asked) return made(asked[1]!, NEAR, (trace) => nearSteps(trace, asked[2]!));
  for (const [pattern, make] of NUMBERED) {
    const found = pattern.exec(name);
    if (found) return made(found[1]!, pattern, (trace) => make(trace, ...found.slice(2).map(Number)));
  }
  return null;
}

export function measurement(name: string): Measurement {
  const found = numbered(name) ?? MEASUREMENTS.find((one) => one.name === name);
  if (found) return found;
  const names = MEASUREMENTS.map((one) => one.name);
  throw new NotFound(`no measurement '${name}'; ${near(name, names)}`);
}

/** The measurement whose steps have names like this one. */
export function measuring(address: string): string | null {
  const name = address.split("[")[0]!.trim();
  return numbered(name)?.name ?? MEASUREMENTS.find(({ pattern }) => pattern.test(name))?.name ?? null;
}
