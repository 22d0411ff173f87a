/** Names for heads, where a detector is sure, as Python's lens/naming.py gives them; it also says what makes sure. */
import { mixing } from "../measure/attending";
import type { Finding, NamedHead } from "../map/names";
import type { Cell } from "../trace/step";
import type { Trace } from "../trace/trace";

export interface NamingData {
  random: string | null; // words in no order, read twice
  detectors: Record<string, { name: string; says: string; share: number; times: number; nothing: number }>;
  broad: string; // the habit that is a name only where another head has one
  almost: number; // of what makes sure: unsure
  least_words: number; // that could follow a habit; fewer say nothing
}

interface Found extends Finding {
  layer: number;
  head: number;
  strength: number; // 1: just enough
}

const scored = (trace: Trace, cell: Cell): Finding["share"] => ({
  value: cell.step.at(cell.at),
  cell: trace.addressOf(cell),
});

/** How many words could follow a habit. */
function followers(trace: Trace, habit: string): number {
  const which = trace.measure("reads").get(`reads.${habit}.which`);
  if (!which) return 0;
  const row = which.value.data.length / which.shape[0]!;
  return Array.from({ length: which.shape[0]! }, (_, query) =>
    which.value.data.subarray(query * row, (query + 1) * row).some((share) => share > 0),
  ).filter(Boolean).length;
}

function findingsOf(trace: Trace, where: string, naming: NamingData): Found[] {
  const made = trace.measure("reads");
  return Object.entries(naming.detectors).flatMap(([habit, detector]) => {
    if (followers(trace, habit) < naming.least_words) return [];
    const evenly = scored(trace, { step: made.get(`reads.${habit}.evenly`)!, at: [] });
    return [...mixing(trace).keys()].flatMap((name, layer) => {
      const step = made.get(`${name}.reads.${habit}`)!;
      return Array.from({ length: step.shape[0]! }, (_, head): Found => {
        const share = scored(trace, { step, at: [head] });
        const way = (share.value - detector.nothing) / (detector.share - detector.nothing);
        const strength = detector.times ? Math.min(way, share.value / (detector.times * evenly.value)) : way;
        const { name, says } = detector;
        return { layer, head, habit, name, sure: strength >= 1, says, where, share, evenly, strength };
      }).filter(({ strength }) => strength >= naming.almost);
    });
  });
}

/** Every head of a model, by the runs that it is watched in: a habit counts where it is strongest. */
export function namedHeads(runs: readonly (readonly [string, Trace])[], naming: NamingData): NamedHead[] {
  let found = runs.flatMap(([where, trace]) => findingsOf(trace, where, naming));
  const isBroad = ({ habit }: Found): boolean => habit === naming.broad;
  if (!found.some((one) => one.sure && !isBroad(one)))
    found = found.map((one) =>
      isBroad(one) ? { ...one, strength: Math.min(one.strength, naming.almost), sure: false } : one,
    );
  return [...mixing(runs[0]![1]).values()].flatMap((mix, layer) =>
    Array.from({ length: mix.inputs[0]!.shape[0]! }, (_, head): NamedHead => {
      const own = found
        .filter((one) => one.layer === layer && one.head === head)
        .sort((a, b) => +b.sure - +a.sure || +isBroad(a) - +isBroad(b) || b.strength - a.strength);
      const strongest = own.filter((one, i) => own.findIndex(({ habit }) => habit === one.habit) === i);
      const findings = strongest.map(({ layer: _, head: __, strength: ___, ...told }) => told);
      return { layer, head, name: findings[0]?.sure ? findings[0].name : null, findings };
    }),
  );
}
