import { fileURLToPath } from "node:url";

/** Runs one rule on the text of a file of the project. Returns `line message` of each problem, in the order of the text. */
export function lint(rule: Deno.lint.Rule, file: string, source: string): string[] {
  const plugin = { name: "tested", rules: { rule } };
  const path = fileURLToPath(new URL(`../../../${file}`, import.meta.url));
  return Deno.lint.runPlugin(plugin, path, source)
    .toSorted((a, b) => a.range[0] - b.range[0])
    .map(({ range: [start], message }) => `${source.slice(0, start).split("\n").length} ${message}`);
}
