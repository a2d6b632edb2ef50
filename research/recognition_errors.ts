// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Prints the share of wrong characters and the seconds of text recognition: for pictures and one-page PDFs, each with its text in
 * a file of the same name that ends in `.txt`; without arguments for the samples of the tests. The data of the languages is
 * fetched with npm. Blanks and forms of letters (NFKC) do not count.
 *
 *     deno run -A --config deno.dev.json research/recognition_errors.ts [FILE]...
 */
import { loader } from "#documents/recognition/loader.ts";
import { packRequest } from "#documents/recognition/request.ts";
import { languageData } from "../tests/documents/recognition/_language_data.ts";
import { sample } from "../tests/documents/recognition/_samples.ts";
import { PAGES } from "../tests/documents/recognition/samples/pages.ts";

const languages = await languageData();
const files = Deno.args.length === 0
  ? Object.entries(PAGES).map(([name, lines]) => ({
    name: `${name}.png`,
    bytes: sample(`${name}.png`),
    text: lines.join("\n"),
  }))
  : Deno.args.map((name) => ({
    name,
    bytes: Deno.readFileSync(name),
    text: Deno.readTextFileSync(name.replace(/\.\w+$/, ".txt")),
  }));
for (const { name, bytes: document, text } of files) {
  const began = performance.now();
  const kind = name.endsWith(".pdf") ? "pdf" : "image";
  const found = await loader.load(packRequest({ kind, pages: [1], languages, document }), { path: name });
  const seconds = (performance.now() - began) / 1000;
  const wrong = distance(charactersOf(text), charactersOf(found.text)), count = charactersOf(text).length;
  const share = (100 * wrong / count).toFixed(2);
  console.log(`${name}: ${wrong} of ${count} characters wrong (${share} %), ${seconds.toFixed(1)} s`);
}

function charactersOf(text: string): string[] {
  return [...text.normalize("NFKC").replace(/\s+/g, "")];
}

/** Returns the number of characters to insert, remove or replace. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, character] of a.entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (character === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
