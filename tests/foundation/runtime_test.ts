import { deepEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { WRITTEN_FOR } from "#foundation/runtime.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that are not the project's: git, what is built, and packages that other tools install. */
const LEFT_OUT = new Set([".git", "dist", "node_modules"]);
/** Files of text that may say how to run, test or build the program. The changelog names the versions of its time. */
const TEXT = /^(?!CHANGELOG\.md$)(?:[^.]+|.+\.(?:md|txt|ts|tsx|yml|sh|ps1))$/;

Deno.test("workflows, installers, texts and tests name the version of Deno that the program is written for", () => {
  const others: string[] = [];
  const named = new Set<string>();
  for (const file of textsBelow("")) {
    const text = Deno.readTextFileSync(`${ROOT}${file}`);
    for (const [, version] of text.matchAll(/\bdeno(?:@|-version: |_version=|Version = ')(\d+\.\d+\.\d+)/g)) {
      named.add(file.replaceAll("\\", "/"));
      if (version !== WRITTEN_FOR) others.push(`${file}: ${version}`);
    }
  }
  deepEqual(others, []);
  const expected = [
    ...[".ci/run", ".github/workflows/ci.yml", "README.md", "examples/docs/zh/faq.txt"],
    ...["lib/foundation/messages/pages.ts", "scripts/install.ps1", "scripts/install.sh"],
  ];
  deepEqual(expected.filter((file) => !named.has(file)), []);
});

/** Paths of files of text in a folder of the project, which ends in a slash or is empty. */
function textsBelow(folder: string): string[] {
  return [...Deno.readDirSync(`${ROOT}${folder}`)].flatMap(({ name, isFile, isDirectory }) => {
    if (isDirectory) return LEFT_OUT.has(name) ? [] : textsBelow(`${folder}${name}/`);
    return isFile && TEXT.test(name) ? [`${folder}${name}`] : [];
  });
}
