/** What is on screen, and how its numbers are read: which run, layer, head, row and stage, and where the pointer is. */
import type { Explanation } from "../measure/explanation";
import { decimalsOf, type Outline, type Run } from "../run/run";
import { FIRST_VIEW, type Scaling, type State, type View } from "../state";
import { fixed, formatInColumn } from "../trace/format";
import type { Numbers } from "../trace/numbers";
import type { Source } from "./source";

/** What a lesson lights, and what it keeps back until it is answered. */
export interface Guide {
  stage: number;
  veiled: ReadonlySet<string>; // steps
  asked: string | null; // the cell in question
  isShown: boolean;
}

/** Positions along the axes that the pointer is on: {Q: 3, K: 0}. */
export type Hover = Readonly<Record<string, number>>;

const NOBODY: ReadonlySet<string> = new Set();
const LONG = 24; // tokens, up to which all cells of a matrix are drawn

export class Shown {
  run = $state.raw<Run | null>(null);
  view = $state<View>({ ...FIRST_VIEW });
  guide = $state.raw<Guide | null>(null);
  hover = $state.raw<Hover>({});
  reads = $state.raw<ReadonlySet<string>>(NOBODY); // cells that the number under the pointer was computed from
  present = $state.raw<readonly number[]>([]); // the stages that have a place on the page
  isWhole = $state(true); // every part of the page is drawn; a large one comes in turns
  pending = $state(false); // another state was asked for, and is not here yet
  protected wanted = $state.raw<State | null>(null);

  constructor(readonly source: Source) {}

  /** One run and no other: a file to be read, or one that holds a toy. */
  get isAlone(): boolean {
    return this.source.ask === null || !!this.run?.isRounded;
  }

  /** What is on screen; before anything is, what was asked for. */
  get state(): State | null {
    return this.run?.state ?? this.wanted;
  }

  /** What is on screen, or will be as soon as it is here. */
  get intended(): State | null {
    return this.pending ? this.wanted : this.state;
  }

  /** Measured as the head on screen sees it. */
  explanation: Explanation | null = $derived.by(() => {
    const { run, view } = this;
    if (!run) return null;
    const own = run.explanation();
    if (!own || (view.layer === null && view.head === null)) return own;
    return run.explanation({ layer: `layer${view.layer ?? 0}`, head: view.head ?? 0 }) ?? own;
  });
  layer: string = $derived(
    this.view.layer !== null ? `layer${this.view.layer}` : (this.explanation?.layer ?? "layer0"),
  );
  head: number = $derived(this.view.head ?? this.explanation?.head ?? 0);
  tokens: readonly string[] = $derived((this.run?.info.tokens as string[] | undefined) ?? []);
  query: number = $derived(Number(this.run?.info.query ?? 0));
  row: number = $derived(Math.min(this.view.row ?? this.query, Math.max(0, this.tokens.length - 1)));
  /** Digits that fit into the cells of a matrix of so many columns. */
  fitting(columns: number, most = 4): number {
    return columns <= 5 ? most : columns <= 8 ? Math.min(most, 3) : 2;
  }

  /** The stage that is looked at, of those that are there. */
  stage: number = $derived(
    this.present.findLast((number) => number <= this.view.stage) ?? this.present[0] ?? this.view.stage,
  );

  /** A text so long that its matrices are drawn as maps: never all cells at once. */
  isLong: boolean = $derived(this.tokens.length > LONG);
  target: string | null = $derived((this.run?.info.next as string | null | undefined) ?? null);

  /** By what the scores on screen are divided. */
  get divided(): { scaling: Scaling; width: number | undefined } {
    const told = this.run?.divided?.(this.layer);
    return told ?? { scaling: this.state?.scaling ?? "root", width: this.step("q")?.shape.at(-1) };
  }

  /** The step of this name in the layer on screen, or outside the layers; undefined where the model has none. */
  step(name: string): Outline | undefined {
    return this.run?.steps.get(`${this.layer}.${name}`) ?? this.run?.steps.get(name);
  }

  /** What a step of this layer was computed from: the first of its inputs, the second, … */
  input(name: string, position: number): Outline | undefined {
    const step = this.run?.steps.get(`${this.layer}.${name}.product`) ?? this.step(name);
    return this.run?.steps.get(step?.inputs[position] ?? "");
  }

  /** The position along the first axis that belongs to the head on screen; key/value heads may be shared. */
  lead(step: Outline | undefined): number[] {
    if (!step || !"HG".includes(step.axes[0] ?? "-")) return [];
    const heads = this.step("weights")?.shape[0] ?? 1;
    return [Math.floor((this.head * step.shape[0]!) / heads)];
  }

  /** The place of a step that is on screen: its head, its row; positions of other axes as they are told, or null. */
  place(step: Outline, told: Readonly<Record<string, number | null>> = {}): (number | null)[] {
    return [...step.axes].map((letter) => {
      if (letter in told) return told[letter]!;
      if (letter === "H" || letter === "G") return this.lead(step)[0] ?? 0;
      return letter === "Q" || letter === "T" ? this.row : null;
    });
  }

  /** The numbers of a step of this layer along one axis, at the head and row on screen. */
  line(name: string, told: Readonly<Record<string, number | null>> = {}): Numbers | null {
    const step = this.step(name);
    return step ? this.read(step.name, this.place(step, told)) : null;
  }

  /** One cell of a step of this layer: by positions, and by words as a person would write it. */
  cell(name: string, told: Readonly<Record<string, number>>): { key: string; address: string; at: number[] } {
    const step = this.step(name)!;
    const at = this.place(step, told).map((position) => position ?? 0);
    if (!at.length) return { key: step.name, address: step.name, at };
    const words = [...step.axes].map((letter, axis) => this.run!.labels.word(letter, at[axis]!));
    return { key: `${step.name}[${at.join(",")}]`, address: `${step.name}[${words.join(",")}]`, at };
  }

  /** A number of a table; one that is rounded says so, and has no more digits than it knows. */
  written(value: number, digits: number, row: ArrayLike<number>): string {
    return this.run?.isRounded ? `≈${fixed(value, Math.min(digits, decimalsOf(row)))}` : formatInColumn(value, digits);
  }

  read(step: string, at?: readonly (number | null)[]): Numbers | null {
    return this.run?.read(step, at) ?? null;
  }

  isVeiled = (step: string): boolean => this.guide?.veiled.has(step) ?? false;

  point(step: Outline, at: readonly number[]): void {
    this.hover = Object.fromEntries([...step.axes].map((letter, axis) => [letter, at[axis]!]));
    const parts = this.run?.isLocal ? (this.run.why(`${step.name}[${at.join(",")}]`)?.parts ?? []) : [];
    this.reads = new Set(parts.map((part) => part.cell));
  }

  leave(): void {
    this.hover = {};
    this.reads = NOBODY;
  }

  /** Which positions of an axis are under the pointer; tokens, queries and keys are the same words. Written as text, it
   * is the same for whoever the pointer did not come to. */
  pointedAlong(letter: string): string {
    const also = letter === "T" ? ["Q", "K"] : letter === "Q" || letter === "K" ? ["T"] : [];
    return [letter, ...also].map((one) => this.hover[one]).join();
  }

  isPointed(letter: string, position: number): boolean {
    return isAmong(this.pointedAlong(letter), position);
  }
}

/** Whether a position is among those that the pointer is on. */
export const isAmong = (pointed: string, position: number): boolean => pointed.split(",").includes(String(position));
