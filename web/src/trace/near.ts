/** What a person may have meant: the names nearest to one that does not exist. */

/** What was asked for does not exist. What may have been meant is looked for when somebody reads it: whoever only wants
 * to know whether there is such a thing does not wait for that. */
export class NotFound extends Error {
  constructor(said: string | (() => string)) {
    super(typeof said === "string" ? said : undefined);
    if (typeof said === "function") Object.defineProperty(this, "message", { get: said });
  }
}

export function near(word: string, names: Iterable<string>, most = 8): string {
  const known = [...new Set(names)];
  const wanted = word.toLowerCase();
  const close = known
    .map((name): [string, number] => [name, likeness(wanted, name.toLowerCase())])
    .filter(([, like]) => like >= 0.6)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name]) => name);
  const within = known.filter((name) => word && name.toLowerCase().includes(wanted) && !close.includes(name));
  const found = [...close, ...within].slice(0, 4);
  if (found.length) return `did you mean ${found.join(" or ")}?`;
  const rest = known.length > most ? ` and ${known.length - most} more` : "";
  return known.length ? `there are ${known.slice(0, most).join(", ")}${rest}` : "there are none";
}

/** The share of letters two words have in common, in order. */
function likeness(a: string, b: string): number {
  const common = Array.from({ length: b.length + 1 }, () => 0);
  for (const letter of a) {
    let before = 0;
    for (let j = 1; j <= b.length; j++) {
      const here = common[j]!;
      common[j] = letter === b[j - 1] ? before + 1 : Math.max(here, common[j - 1]!);
      before = here;
    }
  }
  return a.length + b.length ? (2 * common[b.length]!) / (a.length + b.length) : 0;
}
