// deno-lint-ignore-file no-console -- a program writes to its terminal
/** Reads every file of a folder with the documents house alone, and writes what was read as lines of JSON. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type DocumentError, readDocument } from "#documents/mod.ts";

// As in the extractor's thread: pdf.js leaves promises rejected for damaged files.
process.on("unhandledRejection", () => {});
const folder = process.argv[2]!;
for (const path of (await readdir(folder)).sort()) {
  const read = await readDocument(await readFile(join(folder, path)), { path, pictures: true }).catch(
    ({ problem, message }: DocumentError) => ({ problem, message }),
  );
  console.log(JSON.stringify({ path, ...read }));
}
