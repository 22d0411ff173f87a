/** Questions of a widget's page, and answers of its Python, over one line: each answer finds the one who asked. */
import { describe, expect, it } from "vitest";
import { overComm } from "../src/share/comm";

function line() {
  let tell: (message: unknown) => void = () => {};
  const sent: { id: number; path: string; body: unknown }[] = [];
  return {
    sent,
    send: (message: unknown) => void sent.push(message as (typeof sent)[number]),
    on: (event: string, callback: (...came: never[]) => void) => {
      expect(event).toBe("msg:custom");
      tell = callback as unknown as typeof tell;
    },
    answer: (message: unknown) => tell(message),
  };
}

describe("overComm", () => {
  it("matches answers with questions, in any order, and tells refusals", async () => {
    const model = line();
    const ask = overComm(model);
    const [first, second, third] = [
      ask<number[]>("values", { step: "x" }),
      ask("why", { cell: "y" }),
      ask("why", { cell: "z" }),
    ];
    const [a, b, c] = model.sent;
    expect(a).toMatchObject({ path: "values", body: { step: "x" } });
    expect(new Set([a!.id, b!.id, c!.id]).size).toBe(3);
    model.answer({ id: b!.id, answer: '{"text":"2 = 1 + 1"}' });
    model.answer({ id: -1, answer: "0" }); // meant for another view of the same widget
    model.answer({ id: c!.id, error: "no step z" });
    model.answer({ id: a!.id, answer: "[1,2]" });
    expect(await first).toEqual([1, 2]);
    expect(await second).toEqual({ text: "2 = 1 + 1" });
    await expect(third).rejects.toThrow("no step z");
  });
});
