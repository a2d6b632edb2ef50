import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { FORMATS } from "#documents/formats.ts";
import { DOCUMENTS } from "./_documents.ts";
import { type Files, makeSandbox, smokeTest, type Start } from "./_program.ts";

Deno.test("there is a document for every loader", () => {
  deepEqual(
    Object.keys(DOCUMENTS).sort(),
    FORMATS.map(({ name }) => name).sort(),
    "tests/e2e/_documents.ts needs a document for each format, and no others",
  );
});

/** The output of `extract --json` for every document. */
async function extracted(start: Start): Promise<Record<string, unknown>[]> {
  const files: Files = Object.assign({}, ...Object.values(DOCUMENTS));
  await using sandbox = await makeSandbox(files, { start });
  const paths = Object.keys(files).map((name) => join(sandbox.folder, name));
  const { code, stdout, stderr } = await sandbox.run`extract --json ${paths}`;
  equal(code, 0, stderr + stdout);
  return stdout.trim().split("\n").map((line, at) => ({ ...JSON.parse(line), file: Object.keys(files)[at] }));
}

/** The documents as the program under test reads them. */
let first: Record<string, unknown>[] | undefined;

smokeTest("every loader reads its documents, the executable like the sources", async (start) => {
  const documents = await extracted(start);
  const read = documents.map(({ file, format, markdown }) => ({
    file,
    format,
    said: /green tea/.test(String(markdown)),
  }));
  const expected = Object.entries(DOCUMENTS).flatMap(([format, files]) =>
    Object.keys(files).map((file) => ({ file, format, said: true }))
  );
  deepEqual(read, expected);
  first ??= documents;
  deepEqual(documents, first);
});
