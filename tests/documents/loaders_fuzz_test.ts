import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { FORMATS } from "#documents/formats.ts";
import { DocumentError } from "#documents/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { assertFuzzed } from "../_fuzz.ts";
import { mutated, type Mutation, mutation } from "../_mutated.ts";
import { DOCUMENTS } from "../e2e/_documents.ts";
import { openProcess } from "../library/extract/_open_process.ts";

/** Processes with limits for time and memory, like those of the program, so that no document ends the test. */
const openLoading = openProcess(new URL("./_loading_main.ts", import.meta.url));

/** Formats whose libraries need too much time or memory for a few of the mutated files. */
const ENDLESS = ["xls"];

/** A document of a format, or `text`. */
interface Sample {
  readonly format: string;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Texts that no loader reads but whose outline is found. */
const TEXTS: Readonly<Record<string, string>> = {
  "a.md": "---\ntitle: x\n---\n# Tea\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```c\n# no\n```\n\nSub\n---\n",
  "a.rst": "Tea\n===\n\n.. note:: x\n\nSub\n---\n\ntext::\n\n  code\n",
  "a.org": "#+TITLE: x\n* Tea\n** Sub\n#+BEGIN_SRC\n* no\n#+END_SRC\n",
  "a.adoc": "= Tea\n\n== Sub\n\n----\n== no\n----\n|===\n|a|b\n|===\n",
  "a.tex": "\\section{Tea}\n\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n\\subsection*{Sub}\n",
  "a.json": '{"tea": {"green": [1, 2, {"a": "b"}]}}\n',
  "a.yaml": "tea:\n  green: |\n    a\n    b\n  list:\n    - 1\n",
  "a.xml": "<a><b c='d'>tea</b><!-- x --><b/></a>\n",
  "a.log": "2026-01-01 10:00:00 INFO tea\n  at x\n2026-01-01 10:00:01 WARN\n",
};
const SAMPLES: readonly Sample[] = [
  ...Object.entries(DOCUMENTS).flatMap(([format, files]) =>
    Object.entries(files).map(([path, bytes]) => ({ format, path, bytes }))
  ),
  ...Object.entries(TEXTS).map(([path, text]) => ({
    format: "text",
    path,
    bytes: new TextEncoder().encode(text),
  })),
];

/** Returns what is wrong with the way in which a document is read; an empty text if nothing is. */
async function defectOf(extractor: Extractor, { format, path, bytes }: Sample): Promise<string> {
  try {
    return (await extractor.extract(format, bytes, { path })).text;
  } catch (error) {
    const { problem, message } = error as DocumentError;
    const isSlow = problem === "too_complex" && /it (?:took|needed) more than/.test(message);
    return error instanceof DocumentError && (!isSlow || ENDLESS.includes(format)) ? "" : `${error}`;
  }
}

Deno.test("a mutated file of any format is read to a sound document or refused by a named error", async () => {
  deepEqual(FORMATS.map(({ name }) => name).filter((name) => !(name in DOCUMENTS)), []);
  using extractor = new Extractor(openLoading);
  for (const sample of SAMPLES) equal(await defectOf(extractor, sample), "", sample.path);
  const sample = fc.nat(SAMPLES.length - 1);
  await assertFuzzed(
    fc.asyncProperty(sample, mutation, async (number: number, how: Mutation) => {
      const { bytes, ...rest } = SAMPLES[number]!;
      equal(await defectOf(extractor, { ...rest, bytes: mutated(bytes, how) }), "", rest.path);
    }),
    600,
  );
});
