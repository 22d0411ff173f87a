/** The login value of an address is taken out of it, and the session is what is sent from then on. */
import { afterEach, expect, test, vi } from "vitest";
import { Entry, loginIn } from "../src/entry";

afterEach(() => vi.unstubAllGlobals());

function answering(...answers: Response[]): { asked: [string, RequestInit][]; kept: Map<string, string> } {
  const asked: [string, RequestInit][] = [];
  const kept = new Map<string, string>();
  vi.stubGlobal("fetch", (address: string, said: RequestInit) => {
    asked.push([address, said]);
    return Promise.resolve(answers.shift());
  });
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
  return { asked, kept };
}

test("an address with and without a login value", () => {
  expect(loginIn("#login=a-b_c&model=fox&text=The+fox")).toEqual({ login: "a-b_c", rest: "#model=fox&text=The+fox" });
  expect(loginIn("#login=a")).toEqual({ login: "a", rest: "" });
  expect(loginIn("#model=fox")).toEqual({ login: null, rest: "#model=fox" });
  expect(loginIn("")).toEqual({ login: null, rest: "" });
});

test("the session comes for the login value, once, and is sent and kept", async () => {
  const { asked, kept } = answering(Response.json({ session: "S" }));
  const entry = new Entry("");
  expect(await entry.headers()).toEqual({});
  await entry.letIn("L");
  expect(asked).toEqual([
    ["/api/session", { method: "POST", headers: { Authorization: "Login L" }, credentials: "omit" }],
  ]);
  expect(await entry.headers()).toEqual({ Authorization: "Bearer S" });
  expect(await entry.subprotocols()).toEqual(["regard", "session.S"]);
  expect(await new Entry("").headers()).toEqual({ Authorization: "Bearer S" }); // after a reload
  expect([...kept.values()]).toEqual(["S"]);
});

test("a login value that is refused changes nothing", async () => {
  const { kept } = answering(new Response("", { status: 403 }));
  kept.set("regard.session", "S");
  const entry = new Entry("");
  await entry.letIn("used");
  expect(await entry.headers()).toEqual({ Authorization: "Bearer S" });
});
