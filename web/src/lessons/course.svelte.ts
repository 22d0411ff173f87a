/** Walking through a lesson: which card, what was answered, how much is shown. The place is in the view, so in the
 * address. */
import { getContext, setContext } from "svelte";
import type { Explorer } from "../explorer/explorer.svelte";
import { FIRST_STATE } from "../state";
import { following, lessonOf, stateOf, type Card, type Lesson, type WholeLesson } from "./card";
import { check, type Verdict } from "./check";
import type { Frames } from "./frames";

export const HINT = 1,
  SHOWN = 2; // of view.revealed; 0: only asked

export class Course {
  lesson = $state.raw<WholeLesson | null>(null);
  lessons = $state.raw<Lesson[]>([]);
  typed = $state("");
  verdict = $state.raw<Verdict | null>(null);
  isFilmOpen = $state(false);
  right = $state.raw<ReadonlySet<string>>(new Set(answered())); // lesson and number of each card that was answered well

  constructor(readonly explorer: Explorer) {}

  name: string | null = $derived.by(() => lessonOf(this.explorer.state?.model));
  cards: readonly Card[] = $derived.by(() => (this.lesson?.name === this.name ? this.lesson.cards : []));
  frames: readonly Frames[] = $derived.by(() => (this.lesson?.name === this.name ? (this.lesson.frames ?? []) : []));
  number: number = $derived.by(() => Math.min(this.explorer.view.card, Math.max(0, this.cards.length - 1)));
  card: Card | null = $derived.by(() => this.cards[this.number] ?? null);
  isShown: boolean = $derived.by(() => this.explorer.view.revealed >= SHOWN);

  private async ask<Answer>(path: string, again: () => void): Promise<Answer | null> {
    const { explorer } = this;
    try {
      const answer = (await explorer.source.ask?.<Answer>(path)) ?? null;
      explorer.connection.back();
      return answer;
    } catch (error) {
      if (!explorer.missed(error, again)) explorer.error = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  async list(): Promise<void> {
    if (this.lessons.length) return;
    const found = await this.ask<Lesson[]>("lessons", () => void this.list());
    if (found) this.lessons = found.filter((one) => one.questions > 0);
  }

  async load(name: string): Promise<void> {
    if (this.lesson?.name === name) return;
    const path = `lessons/${encodeURIComponent(name)}`;
    this.lesson = await this.ask<WholeLesson>(path, () => void (this.name === name && this.load(name)));
  }

  begin(name: string): void {
    const { explorer } = this;
    explorer.view = {
      ...explorer.view,
      page: "explorer",
      card: 0,
      revealed: 0,
      columns: false,
      backward: false,
      cell: null,
    };
    this.clear();
    this.isFilmOpen = false;
    void explorer.go(stateOf(name));
  }

  /** The same run without its cards, or the first one of all. */
  leave(): void {
    const { explorer } = this;
    explorer.guide = null;
    explorer.view = { ...explorer.view, page: "explorer", card: 0, revealed: 0, cell: null };
    void explorer.go(this.lesson?.explore ?? FIRST_STATE);
  }

  to(number: number): void {
    const { explorer } = this;
    if (number < 0 || number >= this.cards.length || number === this.number) return;
    Object.assign(explorer.view, { card: number, revealed: 0, cell: null });
    this.clear();
    if (explorer.state?.changes.length) void explorer.go({ ...explorer.state, changes: [] });
  }

  private clear(): void {
    this.typed = "";
    this.verdict = null;
  }

  answer(typed: string): void {
    const { card } = this;
    if (!card || !typed.trim()) return;
    this.typed = typed;
    this.verdict = check(card, typed);
    if (this.verdict.kind !== "right") return;
    this.right = new Set([...this.right, `${this.name} ${this.number}`]);
    keep([...this.right]);
    this.show();
  }

  /** One step further: the hint, then the answer, with what it does to the run. */
  reveal(): void {
    const { view } = this.explorer;
    if (view.revealed < HINT) view.revealed = HINT;
    else this.show();
  }

  show(): void {
    const { explorer, card } = this;
    explorer.view.revealed = SHOWN;
    if (card?.changes.length && explorer.state && !explorer.state.changes.length)
      void explorer.go({ ...explorer.state, changes: [...card.changes] });
  }

  wasRight = (number: number): boolean => this.right.has(`${this.name} ${number}`);

  /** What the screen keeps back and what it lights, for the card that is asked. */
  guide(): void {
    const { explorer, card } = this;
    if (!card || !explorer.run) {
      explorer.guide = null;
      return;
    }
    const veiled = card.veils && !this.isShown ? following(explorer.run.steps, card.veils) : new Set<string>();
    explorer.guide = { stage: card.stage, veiled, asked: card.cell, isShown: this.isShown };
  }
}

const KEPT = "regard.lessons";

/** What was answered well in this browser, now or on another day. */
function answered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return []; // a browser may be told to store nothing
  }
}

function keep(right: string[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(right.slice(-1000)));
  } catch {
    // as above
  }
}

const KEY = Symbol("course");
export const provideCourse = (course: Course): Course => setContext(KEY, course);
export const theCourse = (): Course => getContext<Course>(KEY);
