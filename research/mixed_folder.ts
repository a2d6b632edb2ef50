// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a folder of notes, code, documents and articles in English and Chinese for the questions in `tests/library/search/mixed`. Notes
 * and code are in the repository; documents and test collections come from a folder that is not part of it.
 *
 *     deno run -A research/mixed_folder.ts SHARED OUT
 *
 * SHARED has `documents/pairs/KIND/NAME` and, in BEIR layout, `eval/{xquad-zh,xquad-en,cmrc2018-zh,cranfield}`.
 */
import { join } from "node:path";
import { readBeir } from "#library/evaluate/mod.ts";
import { copyFolder } from "../scripts/copy_folder.ts";

const OWN = join(import.meta.dirname!, "..", "tests", "library", "search", "mixed");

/** Collection -> folder, and the range of its documents. No paragraph of XQuAD is there in both languages. */
const ARTICLES: Readonly<Record<string, readonly [folder: string, from: number, to: number]>> = {
  "xquad-zh": ["xquad-zh", 0, 120],
  "xquad-en": ["xquad-en", 120, 240],
  "cmrc2018-zh": ["cmrc", 0, 200],
  "cranfield": ["cranfield", 0, 200],
};

const [shared, out] = Deno.args;
if (shared === undefined || out === undefined) {
  console.error("usage: mixed_folder.ts SHARED OUT");
  Deno.exit(2);
}
await copyFolder(join(OWN, "notes"), join(out, "notes"));
await copyFolder(join(OWN, "code"), join(out, "code"));
// The expected Markdown beside a document has the same text.
await copyFolder(
  join(shared, "documents", "pairs"),
  join(out, "docs", "pairs"),
  (name) => !name.endsWith(".expected.md"),
);
for (const [name, [folder, from, to]] of Object.entries(ARTICLES)) {
  const { documents } = await readBeir(join(shared, "eval", name));
  await Deno.mkdir(join(out, "docs", folder), { recursive: true });
  for (const { id, text } of documents.slice(from, to)) {
    await Deno.writeTextFile(join(out, "docs", folder, `${id}.txt`), text);
  }
}
console.log(out);
