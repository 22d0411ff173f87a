/** A page read alive: its lines as written, and the places in them whose number can be computed. */
export interface Arithmetic {
  text: string;
  value: string;
  parts: Arithmetic[];
}
export interface ReadClaim {
  line: number;
  what: string;
  claimed: string;
  computed: string;
  note: string;
  verdict: string;
  fails: boolean;
  arithmetic: Arithmetic | null;
  run: number | null;
  cell: string | null;
}
export interface Reading {
  name: string;
  lines: { text: string; marks: [start: number, end: number, claim: number][] }[];
  claims: ReadClaim[];
  skipped: { line: number; reason: string }[];
  kinds: Record<string, number>;
}
export interface Piece {
  text: string;
  claims: number[]; // none: only text
}

/** A line cut where its claims stand; those whose place is not sure come last, as signs of their own. */
export function pieces(line: Reading["lines"][number]): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const sure = line.marks.filter(([start, end]) => end > start).sort((a, b) => a[0] - b[0]);
  for (const [start, end, claim] of sure) {
    const last = found.at(-1);
    if (start < at)
      last?.claims.push(claim); // the same number, judged twice
    else {
      if (start > at) found.push({ text: line.text.slice(at, start), claims: [] });
      found.push({ text: line.text.slice(start, end), claims: [claim] });
      at = end;
    }
  }
  if (at < line.text.length) found.push({ text: line.text.slice(at), claims: [] });
  const rest = line.marks.filter(([start, end]) => end <= start).map(([, , claim]) => claim);
  return rest.length ? [...found, { text: "", claims: rest }] : found;
}

/** How many claims there are of a kind: "3 wrong numbers"; what is no noun stays as it is ("2 cannot run"). */
export const counted = (count: number, kind: string): string =>
  `${count} ${kind}${count !== 1 && /(number|claim)$/.test(kind) ? "s" : ""}`;

/** What a claim says in one line. */
export const verdictOf = (claim: ReadClaim): string =>
  `${claim.verdict}: claimed ${claim.claimed}, computed ${claim.computed}${claim.note ? ` (${claim.note})` : ""}`;
