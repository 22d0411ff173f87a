/** A run whose numbers stay with the server, and come when they are asked for: trained models, real checkpoints. */
import { createSubscriber } from "svelte/reactivity";
import type { Differences } from "../measure/blame";
import { differencesOf, type Explanation } from "../measure/explanation";
import type { FlowPicture } from "../measure/picture";
import type { State } from "../state";
import { Labels } from "../trace/labels";
import type { Numbers } from "../trace/numbers";
import type { Info } from "../trace/trace";
import { numbersFrom, type NumbersData } from "../trace/wire";
import type { Claim, Mattered, Moment, Outline, Overview, Part, Run, Watched, WhatIf, Why } from "./run";
import { whatIfsOf } from "./whatifs";

export interface Explained {
  explanation: Explanation;
  claims: Claim[];
  timeline?: Moment[];
  overview?: Overview;
  rounded?: boolean; // of a file: to be read only
  watched?: Watched; // of a model that is not in glass
  long?: boolean; // of so long a text the weights are not kept
  learns?: boolean; // what an update would do is measured apart, since it takes longer: ask again for it (learning)
  outline?: {
    steps: (Omit<Outline, "inputs"> & { inputs?: string[] })[];
    labels: Record<string, string[]>;
    info: Info;
    edits: { kind: string; step: string; at: number[] }[];
    parameters: string[];
    left_out?: string[]; // of a file
  };
}

const TILES = 64; // parts of maps that are kept: each is a quarter of a megabyte, and asked for again at no great cost
const LEFT_OUT = 16; // words up to which the run is repeated without each of them

export type Ask = <Answer>(path: string, body: unknown) => Promise<Answer>;

export class RemoteRun implements Run {
  readonly isLocal = false;
  readonly isRounded: boolean;
  readonly isLong: boolean;
  readonly info: Info;
  readonly labels: Labels;
  readonly steps: ReadonlyMap<string, Outline>;
  readonly leftOut: ReadonlySet<string>;
  readonly parameters: readonly string[];
  readonly moments: readonly Moment[];
  readonly claims: readonly Claim[];
  readonly overview: Overview | null;
  readonly watched: Watched | null;
  onerror?: (error: unknown, again?: () => void) => void;
  private readonly answers = new Map<string, unknown>(); // null: asked, not here yet
  private tell: () => void = () => {};
  private readonly listen = createSubscriber((update) => {
    this.tell = update;
    return () => (this.tell = () => {});
  });

  constructor(
    readonly state: State,
    private readonly explained: Explained,
    private readonly ask: Ask,
  ) {
    const outline = explained.outline!;
    this.isRounded = explained.rounded ?? false;
    this.isLong = explained.long ?? false;
    this.info = outline.info;
    this.labels = new Labels(outline.labels);
    this.steps = new Map(outline.steps.map((step) => [step.name, { ...step, inputs: step.inputs ?? [] }]));
    this.leftOut = new Set(outline.left_out);
    this.parameters = outline.parameters;
    this.moments = explained.timeline ?? [];
    this.claims = explained.claims;
    this.overview = explained.overview ?? null;
    this.watched = explained.watched ?? null;
  }

  /** An answer of the server, fetched once; null until it is here. */
  fetched<Answer>(path: string, question: object): Answer | null {
    this.listen();
    const key = `${path} ${JSON.stringify(question)}`;
    if (this.answers.has(key)) return this.answers.get(key) as Answer | null;
    this.answers.set(key, null);
    this.ask<Answer>(path, { ...this.state, ...question }).then(
      (answer) => {
        this.answers.set(key, answer);
        if (path === "tile") this.forgetTiles();
        this.tell();
      },
      (error: unknown) =>
        this.onerror?.(error, () => {
          this.answers.delete(key); // whoever draws it asks again
          this.tell();
        }),
    );
    return null;
  }

  /** Of many, those that came first; whoever moves over a long text sees thousands. */
  private forgetTiles(): void {
    const here = [...this.answers].filter(([key, answer]) => key.startsWith("tile ") && answer !== null);
    for (const [key] of here.slice(0, -TILES)) this.answers.delete(key);
  }

  private readonly arrays = new WeakMap<object, Numbers>();

  read(step: string, at?: readonly (number | null)[]): Numbers | null {
    return this.steps.has(step) ? this.measured(step, at) : null;
  }

  measured(step: string, at?: readonly (number | null)[]): Numbers | null {
    const data = this.fetched<NumbersData>("values", at ? { step, at } : { step });
    if (!data) return null;
    let numbers = this.arrays.get(data);
    if (!numbers) this.arrays.set(data, (numbers = numbersFrom(data)));
    return numbers;
  }

  flow(): FlowPicture | null {
    return this.fetched<FlowPicture>("lens", { kind: "flow" });
  }

  explanation(): Explanation {
    const { explanation, learns } = this.explained;
    return (learns && this.fetched<Explained>("explain", { learning: true })?.explanation) || explanation;
  }

  why(cell: string, terms?: number): Why | null {
    return this.fetched<Why>("why", terms === undefined ? { cell } : { cell, terms });
  }

  mattered({ layer, head }: { layer: string; head: number }): Mattered | null {
    const own = this.explained.explanation;
    if (this.isRounded || this.isLong) return own.layer === layer && own.head === head ? own : null;
    const words = this.labels.along("K")?.length ?? 0;
    const asked = { kind: "importance", layer: Number(layer.replace("layer", "")), head, leave_out: words <= LEFT_OUT };
    return this.fetched<Mattered>("lens", asked);
  }

  dependents(cell: string): { cells: Part[]; more: number } | null {
    return this.isRounded ? null : this.fetched("readers", { cell });
  }

  original(step: string, at: readonly number[]): number | undefined {
    const isEdited = this.explained.outline!.edits.some(
      (edit) => edit.step === step && edit.at.every((place, axis) => place === at[axis]),
    );
    return isEdited ? this.read(`${step}.original`, at)?.data[0] : undefined;
  }

  differences(): Differences | null {
    return differencesOf(this.explanation().learning);
  }

  whatIfs(isAsked = false): WhatIf[] {
    if (this.isRounded || this.watched) return [];
    const q = this.steps.get("layer0.q") ?? this.steps.get("layer0.scores");
    return whatIfsOf(this, this.state.scaling ?? "root", q?.shape.at(-1) ?? null, (name) => {
      if (!isAsked || !this.explained.explanation.learning) return null;
      const cell = `instead.${name}.change`;
      const data = this.fetched<NumbersData>("values", { step: cell });
      return data ? { cell, value: numbersFrom(data).data[0]! } : null;
    });
  }

  async to(state: State): Promise<Run> {
    const explained = await this.ask<Explained>("explain", state);
    return new RemoteRun(state, explained, this.ask);
  }
}
