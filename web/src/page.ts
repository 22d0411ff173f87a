/** The served page: a model that lives in the URL, and runs that come from the server. */
import "./page.css";
import { Entry, loginIn } from "./entry";
import type { Source } from "./explorer/source";
import { render, type Model } from "./render";
import { server } from "./server";
import { EXAMPLES } from "./gravity/gravity";
import { FIRST_STATE, fromHash, toHash, type State, type View } from "./state";

/** What makes an address another place to come back to: what was done, and where one looks. The rest (the stage that
 * is scrolled past, a tab) is written into the place where one is. */
const placeOf = (state: State, view: View): string => {
  const { page, cell, card, layer, head, of, also, word, beside, table, asked } = view;
  return JSON.stringify([state, page, cell, card, layer, head, of, also, word, beside, table, asked]);
};

/** What an address shows; one that names no run shows what its scene begins with. */
function shownAt(hash: string): { state: State; view: View } {
  const { state, view } = fromHash(hash);
  if (state) return { state, view };
  if (view.page !== "gravity") return { state: FIRST_STATE, view };
  const { model, text, word, also } = EXAMPLES[0]!;
  return { state: { model, text, changes: [] }, view: { ...view, word, also } };
}

export function inTheURL(entry: Entry, source: Source = server("", entry)): Model {
  const listeners = new Map<string, Set<() => void>>();
  let waiting = 0;
  const held: Record<string, unknown> = { source, ...shownAt(location.hash) };
  let place: string | null = null; // the one that the address says
  window.addEventListener("hashchange", () => {
    const { login, rest } = loginIn(location.hash);
    if (login) {
      // a fresh address, pasted into a tab that was not let in: what it was to show is still wanted
      history.replaceState(null, "", rest || toHash(held.state as State, held.view as View));
      void entry.letIn(login).then(() => location.reload());
      return;
    }
    // back, forward, or another link: what was about to be written down is no longer on screen
    clearTimeout(waiting);
    const { state, view } = shownAt(location.hash);
    Object.assign(held, { view, state });
    place = placeOf(state, view);
    for (const name of ["view", "state"]) listeners.get(`change:${name}`)?.forEach((tell) => tell());
  });
  return {
    get: (name) => held[name],
    set: (name, value) => void (held[name] = value),
    on: (event, callback) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(callback)),
    off: (event, callback) => void listeners.get(event)?.delete(callback),
    // browsers take their time to change the address, so it waits until a hand rests
    save_changes: () => {
      place ??= placeOf(held.state as State, held.view as View); // where one came in, also if the hand is quick
      clearTimeout(waiting);
      waiting = window.setTimeout(() => {
        const [state, view] = [held.state as State, held.view as View];
        const [before, address] = [place, toHash(state, view)];
        place = placeOf(state, view);
        document.title = `${state.text.slice(0, 60)} · regard`;
        if (address === location.hash) return;
        if (before === place) history.replaceState(null, "", address);
        else history.pushState(null, "", address);
      }, 250);
    },
  };
}

export function page(): void {
  const place = document.getElementById("regard");
  if (!place) return;
  const entry = new Entry("");
  const { login, rest } = loginIn(location.hash);
  if (login) {
    history.replaceState(null, "", location.pathname + rest);
    void entry.letIn(login);
  }
  render({ model: inTheURL(entry), el: place });
}
