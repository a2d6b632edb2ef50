import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MESSAGES } from "#foundation/mod.ts";

const LIB = fileURLToPath(new URL("../../lib/", import.meta.url));
const TABLES = join(LIB, "foundation", "messages");

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
    [join(folder, name), isDirectory] as const
  )
    .filter(([path]) => path !== TABLES)
    .flatMap(([path, isDirectory]) =>
      isDirectory ? sourcesBelow(path) : /(?<!wasm)\.ts$/.test(path) ? [path] : []
    );
}

/** English names several folders, and Chinese gives their number. */
const DIFFERENT = ["cli_searched_many"];

Deno.test("each message has the same parameters in Chinese and in English", () => {
  const parametersOf = (text: string) => [...new Set(text.match(/(?<=\{)(?:-c|\w+)(?=[!}])/g))].sort();
  const different = Object.entries(MESSAGES)
    .filter(([, [zh, en]]) => parametersOf(zh).join() !== parametersOf(en).join());
  deepEqual(different.map(([key]) => key), DIFFERENT);
});

Deno.test("no key is in two tables of messages, and no message is without a use", () => {
  const tables = [...Deno.readDirSync(TABLES)].map(({ name }) => Deno.readTextFileSync(join(TABLES, name)));
  const keys = tables.flatMap((table) => table.match(/(?<=^ {2})\w+(?=: [{[])/gm) ?? []);
  deepEqual(keys.toSorted(), Object.keys(MESSAGES).toSorted());

  const program = sourcesBelow(LIB).map((path) => Deno.readTextFileSync(path)).join("\n") + tables.join("\n");
  const words = new Set(program.match(/(?<=["'`.])\w+(?=["'`])|(?<=MESSAGES\.)\w+/g));
  // `embedding_${kind}` stands for all keys that begin so.
  const patterns = [...program.matchAll(/`(\w*)\$\{[^}]*\}(\w*)`/g)]
    .filter(([, start = "", end = ""]) => `${start}${end}`.includes("_"));
  const isUsed = (key: string) =>
    words.has(key) || patterns.some(([, start = "", end = ""]) => key.startsWith(start) && key.endsWith(end));
  deepEqual(keys.filter((key) => !isUsed(key)), []);
});
