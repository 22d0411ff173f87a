/** A film of training as it comes: looks at all heads of a model, again and again while it learned. */

export interface FilmData {
  about: string;
  words: string[]; // of the probe, read twice
  updates: number[];
  losses: (number | null)[];
  measured: string[];
  evenly: number[];
  shares: number[][][][]; // look, layer, head, what is measured
  formed: { layer: number; head: number; habit: string; name: string; since: number }[];
  names: [number, number, string][][]; // look: layer, head, name
  side: number;
  maps: string; // base64: look, layer, head, row, column
}

export class Film {
  readonly looks: number;
  readonly layers: number;
  readonly heads: number;
  private readonly bytes: Uint8Array;

  constructor(readonly data: FilmData) {
    this.looks = data.updates.length;
    this.layers = data.shares[0]!.length;
    this.heads = data.shares[0]![0]!.length;
    this.bytes = Uint8Array.from(atob(data.maps), (letter) => letter.charCodeAt(0));
  }

  /** Whom a head lets read whom at a look, row by row; 255 is the whole of a row. */
  map(look: number, layer: number, head: number): Uint8Array {
    const size = this.data.side ** 2;
    const start = ((look * this.layers + layer) * this.heads + head) * size;
    return this.bytes.subarray(start, start + size);
  }

  /** What a head is called at a look. */
  name(look: number, layer: number, head: number): string | null {
    return this.data.names[look]!.find(([l, h]) => l === layer && h === head)?.[2] ?? null;
  }

  /** The share that a head gave to a habit, look by look. */
  curve(layer: number, head: number, habit: string): number[] {
    const place = this.data.measured.indexOf(habit);
    return this.data.shares.map((look) => look[layer]![head]![place]!);
  }
}
