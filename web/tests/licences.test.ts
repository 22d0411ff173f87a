import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { asText, filesOfStyle, licenceOfFont, packageFolder, packagesOf } from "../licences";

const modules = resolve("node_modules");
const font = join(modules, "katex/dist/fonts/KaTeX_Main-Regular.woff2");

function madeUp(files: Record<string, string>): string {
  const folder = join(mkdtempSync(join(tmpdir(), "licences-")), "node_modules/made-up");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, "index.js");
}

const about = JSON.stringify({ name: "made-up", version: "1.2.3", license: "MIT" });

test("a file belongs to the innermost package, scoped or not; our own to none", () => {
  expect(packageFolder("/a/node_modules/katex/dist/katex.mjs")).toBe("/a/node_modules/katex");
  expect(packageFolder("/a/node_modules/b/node_modules/@c/d/e.js")).toBe("/a/node_modules/b/node_modules/@c/d");
  expect(packageFolder("C:\\a\\node_modules\\clsx\\index.js")).toBe("C:/a/node_modules/clsx");
  expect(packageFolder("/a/web/src/regard.ts")).toBeUndefined();
});

test("every package is told once, with the whole of its licence", () => {
  const packages = packagesOf([
    join(modules, "svelte/src/a.js"),
    join(modules, "svelte/src/b.js"),
    font,
    "/src/own.ts",
  ]);
  expect(packages.map((one) => one.name)).toEqual(["katex", "svelte"]);
  for (const [name, file] of Object.entries({ katex: "LICENSE", svelte: "LICENSE.md" }))
    expect(asText(packages)).toContain(readFileSync(join(modules, name, file), "utf8").trim());
});

test("a package without a licence stops the build", () => {
  expect(() => packagesOf([madeUp({ "package.json": about })])).toThrow("made-up is bundled, but has no licence");
  const unnamed = madeUp({ "package.json": JSON.stringify({ name: "made-up", version: "1.2.3" }), LICENSE: "free" });
  expect(() => packagesOf([unnamed])).toThrow("has no licence");
  expect(packagesOf([madeUp({ "package.json": about, LICENCE: "do as you like\r\n" })])[0]!.texts).toEqual([
    "do as you like",
  ]);
});

test("fonts are files of the style, and tell their own licence", () => {
  const fonts = filesOfStyle(resolve("src/style.css"));
  expect(fonts.length).toBeGreaterThanOrEqual(5);
  expect(fonts).toContain(font);
  expect(licenceOfFont(font)).toContain("with Reserved Font Name KaTeX_Main");
  expect(licenceOfFont(font)).toContain("SIL Open Font License, Version 1.1");
  expect(licenceOfFont(join(modules, "katex/package.json"))).toBeUndefined();
});
