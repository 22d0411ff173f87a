/** What a step's name says: its layer, and the role of a parameter over all layers. */

export const layerOf = (name: string): string => /^layer\d+(?=\.)/.exec(name)?.[0] ?? "";
export const withoutLayer = (name: string): string => name.replace(/^layer\d+\./, "");
/** W_Q for the W_Q of every layer, edited or not. */
export const roleOf = (name: string): string =>
  name
    .replace(/\.original$/, "")
    .split(".")
    .at(-1)!;
