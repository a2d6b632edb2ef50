import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import PARTS from "../../packaging/parts.json" with { type: "json" };
import { thirdPartyLicenses, thirdPartyPackages } from "../../scripts/compile/licenses.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("every npm package in an executable has the text of its licence, its own or the standard one at the end", async () => {
  const packages = await thirdPartyPackages(ROOT);
  const text = await thirdPartyLicenses(ROOT);
  const parts = text.split(/\n-{80}\n\n/);
  for (const { name, version, license, text: own } of packages) {
    const part = parts.find((part) => part.startsWith(`${name} ${version}, ${license}\n`));
    const isThere = own === ""
      ? part?.includes("it is at the end.") &&
        parts.some((part) => part.startsWith(`The text of ${license}\n`))
      : part?.includes(own);
    equal(isThere, true, `${name} ${version}`);
  }
});

Deno.test("the licences of the runtime's parts are named at the beginning, and their texts are at the end", async () => {
  const parts = (await thirdPartyLicenses(ROOT)).split(/\n-{80}\n\n/);
  const [, named = ""] = /are at the end: ([^.]+(?:\.\d[^.]*)*)\.$/.exec(parts[0]!.trim()) ?? [];
  const names = named.match(/[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9.]+)*/g)!.filter((name) => name !== "ICU");
  equal(names.length, 9);
  for (const name of names) {
    const text = parts.find((part) => part.startsWith(`The text of ${name}\n\n`)) ?? "";
    equal(text.length > 500, true, name);
  }
});

Deno.test("the parts of an executable that come from npm packages are those that the build scripts fetch", async () => {
  const specs = new Set<string>();
  for await (const path of filesIn("scripts")) {
    const source = await Deno.readTextFile(path);
    for (const [, spec] of source.matchAll(/^\s*spec: "([^"]+)"/gm)) specs.add(spec!);
  }
  deepEqual([...specs].sort(), PARTS.map(({ npm }) => npm).sort());
});

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (name.endsWith(".ts")) yield `${ROOT}/${path}`;
  }
}
