import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WRITTEN_FOR } from "#foundation/runtime.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The folders with files that say how to run, test or build the program. */
const FOLDERS = [
  ...[".", ".github/workflows", "scripts", "packaging", "packaging/docker"],
  ...["examples/docs/en", "examples/docs/zh"],
];

Deno.test("workflows, installers and texts name the version of Deno that the program is written for", () => {
  const others: string[] = [];
  const named = new Set<string>();
  const files = FOLDERS.flatMap((folder) =>
    [...Deno.readDirSync(`${ROOT}${folder}`)].filter(({ isFile }) => isFile)
      .map(({ name }) => join(folder, name))
  );
  for (const file of files) {
    const text = Deno.readTextFileSync(`${ROOT}${file}`);
    for (const [, version] of text.matchAll(/\bdeno(?:@|-version: |_version=|Version = ')(\d+\.\d+\.\d+)/g)) {
      named.add(file);
      if (version !== WRITTEN_FOR) others.push(`${file}: ${version}`);
    }
  }
  deepEqual(others, []);
  const expected = [".github/workflows/ci.yml", "README.md", "scripts/install.ps1", "scripts/install.sh"];
  deepEqual(expected.filter((file) => !named.has(file)), []);
});
