/** The twelve stages as one number's way: what is said at each, and which number is looked at there. */
import type { Explorer } from "../explorer/explorer.svelte";

export interface Stop {
  stage: number;
  says: string;
  steps: readonly string[]; // the number that is followed is a cell of the first of these that the model has
}

export const STOPS: readonly Stop[] = [
  { stage: 1, says: "A word becomes numbers: its row of a table.", steps: ["x"] },
  { stage: 2, says: "Each word asks with a query, is found by a key, and says a value.", steps: ["q"] },
  { stage: 3, says: "Query times key: how well does this word fit what is asked for?", steps: ["scores"] },
  { stage: 4, says: "The score is kept in bounds, whatever the width of the vectors.", steps: ["biased", "scaled"] },
  { stage: 5, says: "Scores become shares of one whole. This is attention: who listens to whom.", steps: ["weights"] },
  { stage: 6, says: "The values are mixed in these shares: what the word takes in.", steps: ["context"] },
  { stage: 7, says: "Several heads would read at once; what they found is added up.", steps: ["attended", "context"] },
  { stage: 8, says: "The result is compared with every word that could follow.", steps: ["logits"] },
  { stage: 9, says: "Shares once more: the largest is the next word.", steps: ["probabilities"] },
  { stage: 10, says: "How surprising was the word that should have followed? That is the loss.", steps: ["loss"] },
  { stage: 11, says: "Backwards: how the loss would change if this score grew.", steps: ["scores.grad"] },
  { stage: 12, says: "Every learned number takes a small step against its blame. Train, and watch.", steps: [] },
];

export const SECONDS = 7.5; // at each stop; ninety for all twelve

/** The cell that stands for a stop: of the word on screen, and of the word that it listens to most. */
export function followed(explorer: Explorer, { steps }: Stop): { key: string; address: string } | null {
  const step = steps.map((name) => explorer.step(name)).find((found) => found !== undefined);
  const name = steps.find((one) => explorer.step(one) === step);
  if (!step || !name || !explorer.run) return null;
  const weights = [...(explorer.line("weights")?.data ?? [])];
  const most = weights.length ? weights.indexOf(Math.max(...weights)) : 0;
  const words = explorer.run.labels.along("V");
  const says = words?.indexOf(explorer.explanation?.predicted ?? "") ?? 0;
  return explorer.cell(name, { K: most, V: Math.max(0, says), D: 0, C: 0 });
}
