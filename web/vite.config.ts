import { svelte } from "@sveltejs/vite-plugin-svelte";
import { existsSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { licences } from "./licences.ts";

if (!existsSync(new URL("src/trace/formulas.json", import.meta.url)))
  throw new Error("web/src/trace/formulas.json is missing: `python hatch_build.py` writes the formulas down");

/** KaTeX's style names sixty font files; the four that our formulas need are named in style.css. */
const withoutFonts: Plugin = {
  name: "katex-without-fonts",
  enforce: "pre",
  transform: (code, id) => (id.includes("katex.css") ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : null),
};

// One ES module with the entry `render({ model, el })`, and its style beside it: the page, the notebook widget and the
// offline file all run these two files. Fonts are inside the style, so that nothing is ever fetched from elsewhere.
export default defineConfig({
  plugins: [withoutFonts, svelte(), licences],
  build: {
    outDir: process.env.REGARD_WEB_OUT ?? "dist",
    emptyOutDir: true,
    assetsInlineLimit: 1_000_000,
    cssCodeSplit: false,
    target: "es2022",
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: {
      input: { regard: "src/regard.ts" },
      preserveEntrySignatures: "strict",
      // what one scene alone needs is a file of its own, which only the served page fetches
      output: {
        format: "es",
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "regard[extname]",
      },
    },
  },
  ...(process.env.VITEST ? { resolve: { conditions: ["browser"] } } : {}), // components as a browser has them
  server: { host: "127.0.0.1" },
  test: { environment: "node", include: ["tests/**/*.test.ts"], testTimeout: 60_000 },
});
