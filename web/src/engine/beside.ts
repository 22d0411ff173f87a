/** The files that `regard site` wrote, beside the page: fetched when they are needed, and from nowhere else. */
import type { Files, Progress } from "./own";

async function fetched(path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "omit" });
  } catch {
    throw new Error(`${path} does not come; is there a network?`);
  }
  if (!answer.ok) throw new Error(`${path} is not there (${answer.status}); was the whole folder put online?`);
  return answer;
}

/** The bytes of an answer, with word of how many have come. */
async function bytesOf(answer: Response, progress: Progress): Promise<ArrayBuffer> {
  // what was compressed on its way has another length there
  const told = answer.headers.has("content-encoding") ? 0 : Number(answer.headers.get("content-length") ?? 0);
  const parts: Uint8Array[] = [];
  let loaded = 0;
  const reader = answer.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    progress((loaded += value.length), Math.max(told, loaded));
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}

export const beside: Files = {
  json: async <Data>(path: string) => (await (await fetched(path)).json()) as Data,
  bytes: async (path, progress) => bytesOf(await fetched(path), progress),
  worker: () => Promise.resolve(new Worker("engine.js")),
};
