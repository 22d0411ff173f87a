/** The entry that a notebook calls, in a document without a browser around it: a trace comes, the screen answers. */
// @vitest-environment jsdom
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const folder = process.env.REGARD_FIXTURES;
const file = folder && readdirSync(folder).find((name) => name.startsWith("fox-"));

/** A model as anywidget hands it over. */
function modelWith(held: Record<string, unknown>) {
  const listeners = new Map<string, () => void>();
  return {
    held,
    get: (name: string) => held[name],
    set: (name: string, value: unknown) => void (held[name] = value),
    on: (event: string, callback: () => void) => void listeners.set(event, callback),
    save_changes: () => {},
    tell: (name: string, value: unknown) => {
      held[name] = value;
      listeners.get(`change:${name}`)?.();
    },
  };
}
const soon = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

describe.runIf(file)("render", () => {
  beforeAll(() => {
    const none = class { observe() {} unobserve() {} disconnect() {} }; // prettier-ignore
    Object.assign(globalThis, { ResizeObserver: none, IntersectionObserver: none });
    const nothing = (): void => {};
    Object.assign(Element.prototype, { scrollIntoView: nothing, scrollTo: nothing, scrollBy: nothing });
    Object.assign(window, { matchMedia: () => ({ matches: true }), scrollTo: nothing, scrollBy: nothing });
  });

  it("shows a trace, follows the notebook, and tells it what was done", async () => {
    const { render } = await import("../src/render");
    const { base } = JSON.parse(readFileSync(join(folder!, file!), "utf-8")) as { base: unknown };
    const el = document.createElement("div");
    document.body.append(el);
    const model = modelWith({ trace: JSON.stringify(base) });
    const end = render({ model, el });
    await soon();
    const weight = () =>
      el.querySelector<HTMLElement>('[data-step="layer0.weights"] [data-cell="layer0.weights[0,3,3]"]')!;
    expect(weight().textContent).toContain("0.7500");
    expect(el.querySelector(".summary strong")!.textContent).toBe("fox");

    model.tell("state", {
      ...(model.held.state as object),
      changes: [{ kind: "edit", cell: "weights[fox,fox]", value: 0.05 }],
    });
    await soon();
    expect(weight().dataset.value).toBe("0.05");
    expect(el.querySelector(".summary strong")!.textContent).toBe("jumps");

    model.tell("view", { ...(model.held.view as object), cell: "weights[fox,fox]" });
    await soon();
    expect(el.querySelector(".drawer")!.textContent).toContain("was 0.7500");

    weight().focus();
    weight().dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
    await soon();
    expect(weight().dataset.value).not.toBe("0.05");
    expect((model.held.state as { changes: unknown[] }).changes).toEqual([]);
    end();
    expect(el.textContent).toBe("");
  });
});
