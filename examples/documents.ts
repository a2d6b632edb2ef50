// deno-lint-ignore-file no-console -- a program writes to its terminal
/**
 * Turns the Office files of a folder into Markdown: `report.docx` becomes `report.docx.md` beside it.
 *
 * `deno run --allow-read --allow-write --allow-env examples/documents.ts FOLDER`, or `node examples/documents.ts FOLDER`.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { DocumentError, readDocument } from "#documents/mod.ts";

const OFFICE = /\.(?:docx?|pptx?|xlsx?|odt|odp|ods|rtf)$/i;
const folder = process.argv[2] ?? ".";

for (const name of (await readdir(folder)).filter((name) => OFFICE.test(name)).sort()) {
  const path = join(folder, name);
  try {
    const { document } = await readDocument(await readFile(path), { path });
    await writeFile(`${path}.md`, document.text);
    console.log(`${name}: ${document.sections.length} sections, ${document.pages?.length ?? "no"} pages`);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    console.log(`${name}: ${error.problem}, ${error.message}`);
  }
}
