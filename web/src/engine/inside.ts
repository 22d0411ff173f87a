/** The files of `regard site` inside the page's own file, which has no address to fetch from: deflated, in base64. */
import type { Files, Progress } from "./own";

const PART = 2 ** 20; // letters of base64 that are read at a time, a multiple of four: the page answers in between

async function bytesOf(path: string, progress: Progress): Promise<ArrayBuffer> {
  const written = document.getElementById(path)?.textContent;
  if (!written) throw new Error(`${path} is not in this file; start \`regard open\` to see it`);
  const inflate = new DecompressionStream("deflate");
  const inflated = new Response(inflate.readable).arrayBuffer();
  const writer = inflate.writable.getWriter();
  for (let at = 0; at < written.length; at += PART) {
    const part = atob(written.slice(at, at + PART));
    const bytes = new Uint8Array(part.length);
    for (let i = 0; i < part.length; i++) bytes[i] = part.charCodeAt(i);
    await writer.write(bytes);
    progress(Math.min(at + PART, written.length), written.length);
    await new Promise((resume) => setTimeout(resume));
  }
  await writer.close();
  return inflated;
}

const textOf = async (path: string): Promise<string> => new TextDecoder().decode(await bytesOf(path, () => {}));

export const inside: Files = {
  json: async <Data>(path: string) => JSON.parse(await textOf(path)) as Data,
  bytes: bytesOf,
  // a worker that is made of text: from a file, browsers load none
  worker: async () =>
    new Worker(URL.createObjectURL(new Blob([await textOf("engine.js")], { type: "text/javascript" }))),
};
