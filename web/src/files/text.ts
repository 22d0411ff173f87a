/** A text that came as a file: dropped anywhere, or chosen. */
import { nameOf } from "../toys/toys";
import { grouped } from "../trace/format";

export interface Text {
  name: string;
  text: string;
}

export const isToy = (name: string): boolean => name.endsWith(".toml");
export const isProse = (name: string): boolean => !isToy(name);

const MOST_BYTES = 2_000_000;

export async function textOf(file: File): Promise<Text> {
  if (file.size > MOST_BYTES) {
    const [got, most] = [file.size, MOST_BYTES].map((size) => grouped(size));
    throw new Error(`${file.name} has ${got} bytes; a text of at most ${most} is taken here`);
  }
  return { name: nameOf(file.name), text: await file.text() };
}
