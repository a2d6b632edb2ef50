import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { stage } from "../../scripts/compile/stage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("stage() bundles some packages separately, complete and small", async (t) => {
  using temp = new TempDir();
  const { main, importMap } = await stage(ROOT, temp.path, {
    commit: null,
    build_date: "2026-01-31T12:00:00Z",
  });
  const files = join(main, "..");
  const { imports } = JSON.parse(await Deno.readTextFile(importMap));
  const sources: Record<string, string> = {};
  for await (const { name } of Deno.readDir(files)) {
    if (name.endsWith(".js")) sources[name] = await Deno.readTextFile(join(files, name));
  }

  await t.step(
    "the import map has exactly the modules that the program imports by name, with all their exports",
    async () => {
      const missing: string[] = [];
      const named = new Set<string>();
      for (const source of Object.values(sources)) {
        for (const [, names, from] of source.matchAll(/\bimport\{([^}]+)\}from"([^".][^"]*)"/g)) {
          if (from!.startsWith("node:")) continue;
          named.add(from!);
          const offered = await import(pathToFileURL(join(files, imports[from!])).href);
          const taken = names!.split(",").map((name) => name.split(" as ")[0]!);
          missing.push(...taken.filter((name) => !(name in offered)).map((name) => `${from} ${name}`));
        }
        for (const [, from] of source.matchAll(/\bimport\("([@\w][^"$]*)"\)/g)) {
          if (!from!.startsWith("node:")) named.add(from!);
        }
      }
      deepEqual(missing, []);
      deepEqual([...named].sort(), Object.keys(imports).sort());
    },
  );

  await t.step("the program contains neither zod's texts in other languages nor Ajv", () => {
    const holding = (words: string) => Object.keys(sources).filter((name) => sources[name]!.includes(words));
    deepEqual(holding("Nieprawid"), []);
    deepEqual(holding("missingRefs"), []);
  });
});
