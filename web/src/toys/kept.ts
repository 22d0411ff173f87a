/** Texts that are too long for a link, kept by this browser under their names: the last few of them. */
const PLACE = "regard.toys";
const FEW = 8;

export function kept(name: string): string | null {
  return all().find(([known]) => known === name)?.[1] ?? null;
}

export function keep(name: string, text: string): void {
  const others = all().filter(([known]) => known !== name);
  try {
    localStorage.setItem(PLACE, JSON.stringify([[name, text], ...others].slice(0, FEW)));
  } catch {
    // a browser may be told to store nothing: then it is gone with the tab
  }
}

function all(): [string, string][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    const isPair = (one: unknown): one is [string, string] =>
      Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string";
    return Array.isArray(found) ? found.filter(isPair) : [];
  } catch {
    return [];
  }
}
