/** A model that is being trained by the server, as its trainer reports: losses, samples, and how it ended. */
import type { Source } from "../explorer/source";

export interface Report {
  update: number;
  loss: number | null;
  held_out?: number | null;
}
interface Sample {
  update: number;
  text: string;
}
type Message =
  | ({ kind: "report" } & Report)
  | { kind: "history"; reports: Report[]; of: number; held_out: { update: number; loss: number }[] }
  | { kind: "gap"; from: number; to: number }
  | { kind: "anew" }
  | ({ kind: "sample" } & Sample)
  | { kind: "begun"; name: string }
  | { kind: "running"; update: number }
  | { kind: "ended"; update: number; message: string }
  | { kind: "problem"; error: { message: string } };

export interface Wanted {
  name: string;
  text: string;
  preset: "toy" | "small";
  settings: Record<string, number | string>;
}

const POINTS = 2_000; // of the curve; beyond, every second one is dropped
const SAMPLES = 12;
const RETRY = 1_000; // ms, until somebody tries again

export class Training {
  name = $state<string | null>(null);
  reports = $state.raw<Report[]>([]);
  heldOut = $state.raw<{ update: number; loss: number }[]>([]);
  samples = $state.raw<Sample[]>([]);
  status = $state<"idle" | "starting" | "running" | "ended">("idle");
  problem = $state<string | null>(null);
  update = $state(0);
  private socket: WebSocket | null = null;

  constructor(private readonly source: Source) {}

  start(wanted: Wanted): Promise<void> {
    return this.begin(wanted.name, { kind: "start", ...wanted });
  }

  watch(name: string): Promise<void> {
    return this.begin(name, { kind: "watch", name });
  }

  /** The trainer saves what it has and stops; it says so itself. */
  stop(): void {
    this.socket?.send(JSON.stringify({ kind: "stop" }));
  }

  close(): void {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  private async begin(name: string, first: object): Promise<void> {
    this.close();
    [this.name, this.reports, this.heldOut, this.samples] = [name, [], [], []];
    [this.status, this.problem, this.update] = ["starting", null, 0];
    await this.connect(first);
  }

  private async connect(first: object): Promise<void> {
    const socket = await this.source.socket!("train");
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(first));
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      for (const message of JSON.parse(data) as Message[]) this.hear(message);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return; // closed by us
      if (!this.update && this.status === "starting") {
        this.problem = "the server does not answer; is `regard open` still running?";
        this.status = "ended";
        return;
      }
      // the trainer goes on without the server: what it does is seen again once that is back
      setTimeout(() => {
        const again = { kind: "watch", name: this.name, from: this.update };
        if (this.socket === socket && this.status !== "ended") void this.connect(again);
      }, RETRY);
    };
  }

  private hear(message: Message): void {
    switch (message.kind) {
      case "history": {
        const older = this.reports.filter(({ update }) => update < (message.reports[0]?.update ?? 0));
        this.reports = thinned([...older, ...message.reports]);
        const known = this.heldOut.filter(({ update }) => update < (message.held_out[0]?.update ?? 0));
        this.heldOut = [...known, ...message.held_out];
        this.update = this.reports.at(-1)?.update ?? 0;
        break;
      }
      case "report":
        this.reports = thinned([...this.reports, message]);
        if (typeof message.held_out === "number")
          this.heldOut = [...this.heldOut, { update: message.update, loss: message.held_out }];
        this.update = message.update;
        if (this.status !== "ended") this.status = "running";
        break;
      case "sample":
        this.samples = [message, ...this.samples.filter(({ update }) => update !== message.update)].slice(0, SAMPLES);
        break;
      case "anew":
        [this.reports, this.heldOut] = [[], []];
        break;
      case "begun":
        this.name = message.name; // another than was asked for, where that one is taken
        break;
      case "running":
        this.status = "running";
        break;
      case "ended":
        this.status = "ended";
        if (message.message) this.problem = message.message.replace(/^regard: /, "");
        break;
      case "problem":
        this.problem = message.error.message;
        if (!this.update) this.status = "ended";
        break;
      case "gap":
        break; // a part of the curve is missing; the line is drawn across it
    }
  }
}

const thinned = (reports: Report[]): Report[] =>
  reports.length > POINTS ? reports.filter((_, i) => i % 2 === 0 || i === reports.length - 1) : reports;
