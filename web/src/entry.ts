/** What lets this tab in: the login value in its address is exchanged, once, for the session's value.
 *
 * The tab keeps that in its sessionStorage, which survives a reload and which no other tab, port or site can read, and
 * sends it itself. It is never a cookie: a browser would send one to every server on this machine.
 */
const KEPT = "regard.session";
const LOGIN = "login";

/** The login value of an address, if it has one, and the address without it. */
export function loginIn(hash: string): { login: string | null; rest: string } {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const login = said.get(LOGIN);
  if (login === null) return { login, rest: hash };
  said.delete(LOGIN);
  return { login, rest: said.size ? `#${said.toString()}` : "" };
}

export class Entry {
  private session: Promise<string | null>;

  constructor(private readonly base: string) {
    this.session = Promise.resolve(kept());
  }

  /** Settles when the session is there. A login value that was used already changes nothing. */
  letIn(login: string): Promise<unknown> {
    const before = this.session;
    this.session = this.exchanged(login).then((session) => session ?? before);
    return this.session;
  }

  async headers(): Promise<Record<string, string>> {
    const session = await this.session;
    return session === null ? {} : { Authorization: `Bearer ${session}` };
  }

  /** For `new WebSocket(address, subprotocols)`, which can send no header. */
  async subprotocols(): Promise<string[]> {
    const session = await this.session;
    return session === null ? ["regard"] : ["regard", `session.${session}`];
  }

  private async exchanged(login: string): Promise<string | null> {
    try {
      const asked = { method: "POST", headers: { Authorization: `Login ${login}` }, credentials: "omit" } as const;
      const answer = await fetch(`${this.base}/api/session`, asked);
      if (!answer.ok) return null;
      const { session } = (await answer.json()) as { session: string };
      keep(session);
      return session;
    } catch {
      return null; // the next question says that nobody answers
    }
  }
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null; // a browser may be told to store nothing: then a reload needs a fresh address
  }
}

function keep(session: string): void {
  try {
    sessionStorage.setItem(KEPT, session);
  } catch {
    // as above
  }
}
