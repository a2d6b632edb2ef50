import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { FORMATS } from "#documents/formats.ts";
import { DOCUMENTS } from "./_documents.ts";
import {
  EXECUTABLE,
  fromSources,
  makeSandbox,
  NO_EXECUTABLE,
  program,
  smokeTest,
  type Start,
} from "./_program.ts";

// --quiet shows only the name of an ignored test.
if (EXECUTABLE === undefined) Deno.test.ignore(NO_EXECUTABLE, () => {});

Deno.test("there is a document for every loader", () => {
  deepEqual(
    Object.keys(DOCUMENTS).sort(),
    FORMATS.map(({ name }) => name).sort(),
    "tests/e2e/_documents.ts needs a document for each format, and no others",
  );
});

/** The output of `extract --json` for every document. */
async function extracted(start: Start): Promise<Record<string, unknown>[]> {
  await using sandbox = await makeSandbox({}, start);
  const files = Object.assign({}, ...Object.values(DOCUMENTS)) as Record<string, Uint8Array>;
  const paths: string[] = [];
  for (const [name, bytes] of Object.entries(files)) {
    await Deno.writeFile(join(sandbox.folder, name), bytes);
    paths.push(join(sandbox.folder, name));
  }
  const { code, stdout, stderr } = await sandbox.run("extract", "--json", ...paths);
  equal(code, 0, stderr + stdout);
  return stdout.trim().split("\n").map((line, at) => ({ ...JSON.parse(line), file: Object.keys(files)[at] }));
}

smokeTest("every loader reads its documents", async (start) => {
  const read = (await extracted(start)).map(({ file, format, markdown }) => ({
    file,
    format,
    said: /green tea/.test(String(markdown)),
  }));
  const expected = Object.entries(DOCUMENTS).flatMap(([format, files]) =>
    Object.keys(files).map((file) => ({ file, format, said: true }))
  );
  deepEqual(read, expected);
});

if (EXECUTABLE !== undefined) {
  Deno.test("the executable reads every document like the sources", async () => {
    deepEqual(await extracted(program), await extracted(fromSources));
  });
}
