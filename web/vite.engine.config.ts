import { defineConfig } from "vite";

// The engine as one script of its own, for a worker: beside the page (regard site), or inside a file, where a worker
// can neither import nor fetch anything.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: process.env.REGARD_WEB_OUT ?? "dist",
    emptyOutDir: false,
    target: "es2022",
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: {
      input: { engine: "src/engine/main.ts" },
      output: { format: "iife", entryFileNames: "[name].js" },
    },
  },
});
