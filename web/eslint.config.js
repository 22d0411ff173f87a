// What a formatter and the type checker cannot see: promises nobody awaits, conditions that are always true, `any`.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import { configs, parser } from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist", "public"] },
  js.configs.recommended,
  configs.strictTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: {
        projectService: { allowDefaultProject: ["eslint.config.js"] },
        extraFileExtensions: [".svelte"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }], // axes are letters: [..."HQK"]
      "@typescript-eslint/no-non-null-assertion": "off", // shapes are checked where a step is made, not at every index
      "@typescript-eslint/no-unnecessary-type-parameters": "off", // ask<Answer>() says what a route answers
      "svelte/prefer-svelte-reactivity": "off", // a Map built inside a derived value is replaced, never changed later
      "svelte/no-useless-mustaches": "off", // {" "} is the only space that survives at the end of a block
      "@typescript-eslint/no-meaningless-void-operator": "off", // `void x` in an effect says what it waits for
    },
  },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser } } },
);
