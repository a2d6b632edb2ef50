import { deepEqual, ok } from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const LIB = fileURLToPath(new URL("../../lib/", import.meta.url));

/** Folders whose README.md names every file in them, or the folder that it is in. */
const PAGES = [
  "foundation",
  "foundation/boundary",
  "documents",
  "models",
  "traces",
  "engine",
  "library",
  "server",
  "pages",
  "program",
];

/** Most lines of a page. */
const MAX_LINES = 70;

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? sourcesBelow(join(folder, name)) : /(?<!\.d)\.ts$/.test(name) ? [join(folder, name)] : []
  );
}

for (const page of PAGES) {
  const folder = join(LIB, page);
  const text = Deno.readTextFileSync(join(folder, "README.md"));

  Deno.test(`the page of lib/${page} names each of its files, and no others, and fits on one page`, () => {
    const apart = PAGES.filter((other) => other.startsWith(`${page}/`)).map((other) => join(LIB, other));
    const files = sourcesBelow(folder).filter((path) => !apart.some((other) => path.startsWith(other)))
      .map((path) => relative(folder, path).replaceAll("\\", "/"));
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    const named = rows.flatMap((row) =>
      row.split(" | ").slice(0, 2).join(" ").match(/(?<=`)[\w/]+(?:\.ts|\/)(?=`)/g) ?? []
    ).flatMap((name) => name.endsWith("/") ? files.filter((file) => file.startsWith(name)) : [name]);
    const chapters = (names: Iterable<string>) =>
      [...names].filter((name) => !name.endsWith("mod.ts")).sort();
    deepEqual(chapters(new Set(named)), chapters(files));
    ok(text.split("\n").length <= MAX_LINES, `${text.split("\n").length} lines`);
  });

  Deno.test(`every file and folder that the page of lib/${page} names exists`, () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = ""]) => join(folder, to));
    const named = [...text.matchAll(/`((?:lib|tests|scripts|examples)\/[^\s`*<{]*)/g)]
      .map(([, to = ""]) => join(dirname(LIB), to));
    for (const path of [...links, ...named]) ok(Deno.statSync(path), path);
  });
}

Deno.test("every chapter starts by saying what it is about", () => {
  const chapters = sourcesBelow(LIB).filter((path) =>
    !/(?:[\\/]mod|_wasm)\.ts$|[\\/]grammars[\\/]/.test(path)
  );
  const headless = chapters.filter((path) => {
    const text = Deno.readTextFileSync(path);
    if (text.startsWith("// Made by ")) return false;
    // Directives of the linter and of the compiler stand before everything else.
    const [, header, next] = /^(?:\/\/.*\n)*\/\*\*([^]*?)\*\/\n(.*)/.exec(text) ?? [];
    return header === undefined || !(next === "" || next?.startsWith("import") || header.includes("@module"));
  });
  ok(chapters.length > 100);
  deepEqual(headless.map((path) => relative(LIB, path)), []);
});

Deno.test("every file that NOTICE names exists", () => {
  const root = dirname(LIB.replace(/\/$/, ""));
  const named = Deno.readTextFileSync(join(root, "NOTICE")).match(/(?<![\w/])lib\/[\w/.]*\w/g) ?? [];
  ok(named.length > 5);
  for (const path of named) ok(Deno.statSync(join(root, path)), path);
});
