// What others wrote and we pass on: the packages that the bundle is made of, and the texts under which they may be.
// Made when the page is built, from what was bundled; a package without a licence stops the build.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

const TEXT = "licences.txt";
const LIST = "bundled.json";
const INTRODUCTION =
  "The page of regard (MIT licence) is made with the following, which are under licences of their own.";
const LICENCE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
const FONT_LICENCE = 13; // in the table "name" of a font
const UTF_16 = 3; // how that table is written on the platform called Windows, which every font is for

export interface Package {
  name: string;
  version: string;
  license: string;
  texts: string[];
}

/** The folder of the package that a file belongs to; undefined for files of our own. */
export function packageFolder(file: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/"))?.[1];
}

/** The files that a style takes in, such as fonts: what stands in url(…), where a bundler looks for it. */
export function filesOfStyle(file: string): string[] {
  const named = [...readFileSync(file, "utf8").matchAll(/url\(\s*["']?([^"')]+)/g)].map((found) => found[1]!);
  return named.filter((name) => !/^(data:|https?:|#)/.test(name)).flatMap((name) => found(name, dirname(file)));
}

function found(name: string, folder: string): string[] {
  const places = name.startsWith(".")
    ? [resolve(folder, name)]
    : above(folder).map((f) => join(f, "node_modules", name));
  const place = places.find((one) => existsSync(one));
  return place === undefined ? [] : [place];
}

function above(folder: string): string[] {
  const next = dirname(folder);
  return next === folder ? [folder] : [folder, ...above(next)];
}

/** What a font says of its licence; a compressed font is packed, so the plain one beside it is asked. */
export function licenceOfFont(file: string): string | undefined {
  const plain = file.replace(/\.woff2?$/, ".ttf");
  if (!plain.endsWith(".ttf") || !existsSync(plain)) return undefined;
  const data = readFileSync(plain);
  const tables = Array.from({ length: data.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const table = tables.find((at) => data.toString("latin1", at, at + 4) === "name");
  if (table === undefined) return undefined;
  const start = data.readUInt32BE(table + 8);
  const strings = start + data.readUInt16BE(start + 4);
  for (let i = 0; i < data.readUInt16BE(start + 2); i++) {
    const [platform, , , what, length, offset] = [0, 2, 4, 6, 8, 10].map((at) =>
      data.readUInt16BE(start + 6 + 12 * i + at),
    );
    if (platform !== UTF_16 || what !== FONT_LICENCE) continue;
    return Buffer.from(data.subarray(strings + offset!, strings + offset! + length!))
      .swap16()
      .toString("utf16le");
  }
  return undefined;
}

/** Every package that the files belong to, by name, with its licence and those of its fonts among the files. */
export function packagesOf(files: Iterable<string>): Package[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = packageFolder(file);
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const all = [...folders].map(([folder, inside]) => described(folder, inside));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function described(folder: string, files: string[]): Package {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const own = readdirSync(folder).filter((name) => LICENCE.test(name));
  const { name, version, license } = about;
  if (typeof name !== "string" || typeof version !== "string" || typeof license !== "string" || !own.length)
    throw new Error(`${folder} is bundled, but has no licence; replace it, or ask its authors`);
  const fonts = files.map(licenceOfFont).filter((text) => text !== undefined);
  const texts = [...own.sort().map((file) => readFileSync(join(folder, file), "utf8")), ...new Set(fonts)];
  return { name, version, license, texts: texts.map((text) => text.replaceAll("\r", "").trim()) };
}

export function asText(packages: Package[]): string {
  const parts = packages.map((p) => [`${p.name} ${p.version} (${p.license})`, ...p.texts].join("\n\n"));
  return `${[INTRODUCTION, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Writes them beside the bundle, and into it: an exported file and a notebook hold the bundle alone. */
export const licences: Plugin = {
  name: "licences",
  generateBundle(_, bundle) {
    const modules = [...this.getModuleIds()].filter((id) => !id.startsWith("\0")).map((id) => id.replace(/\?.*$/, ""));
    const styles = modules.filter((id) => id.endsWith(".css") && packageFolder(id) === undefined);
    const packages = packagesOf([...modules, ...styles.flatMap(filesOfStyle)]);
    const text = asText(packages);
    for (const part of Object.values(bundle))
      if (part.type === "chunk" && part.isEntry) part.code = `/*!\n${text.replaceAll("*/", "* /")}*/\n${part.code}`;
    const list = packages.map(({ name, version, license }) => ({ name, version, license }));
    this.emitFile({ type: "asset", fileName: TEXT, source: text });
    this.emitFile({ type: "asset", fileName: LIST, source: `${JSON.stringify(list, null, 1)}\n` });
  },
};
