/** What heads are called, where a detector is sure: as the server answers it. */
import type { Run } from "../run/run";

export interface Scored {
  value: number;
  cell: string;
}

/** A habit of a head: its share, and that of a head that reads all alike. */
export interface Finding {
  habit: string;
  name: string;
  sure: boolean;
  says: string;
  where: string; // the text of the run that the numbers are of
  share: Scored;
  evenly: Scored;
}

export interface NamedHead {
  layer: number;
  head: number;
  name: string | null;
  findings: Finding[];
}

/** Null until they are here, and where nobody knows. */
export function namesOf(run: Run): NamedHead[] | null {
  if (run.isLocal || run.isRounded) return null;
  return run.fetched<{ heads: NamedHead[] }>("lens", { kind: "heads" })?.heads ?? null;
}
