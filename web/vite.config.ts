import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// One ES module with the entry `render({ model, el })`, and its style beside it: the page, the notebook widget and the
// offline file all run these two files. Fonts are inside the style, so that nothing is ever fetched from elsewhere.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: process.env.REGARD_WEB_OUT ?? "dist",
    emptyOutDir: true,
    assetsInlineLimit: 1_000_000,
    lib: { entry: { regard: "src/render.ts", page: "src/page.ts" }, formats: ["es"], cssFileName: "regard" },
    target: "es2022",
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1" },
  test: { environment: "node", include: ["tests/**/*.test.ts"], testTimeout: 60_000 },
});
