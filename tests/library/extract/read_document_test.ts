import { deepEqual, rejects } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";

const open = ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject());
const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a document is read by the loader of its content; a text keeps its form", async () => {
  using extractor = new Extractor(open);
  const page = await extractor.read(bytes("<!DOCTYPE html><h1>Keys</h1><p>Rotate."), { path: "a.txt" });
  deepEqual([page.format, page.document.text], ["html", "# Keys\n\nRotate.\n"]);
  const text = await extractor.read(bytes("# Keys\n"), { path: "a.md" });
  deepEqual([text.format, text.encoding, text.document.sections.length], ["text", "utf-8", 1]);
  const code = await extractor.read(bytes("def rotate():\n    pass\n"), { path: "a.py" });
  deepEqual([code.format, code.document.sections[0]?.title], ["code", "function rotate"]);
});

Deno.test("a file that cannot be read is reported with its path", async () => {
  using extractor = new Extractor(open);
  const key = (path: string, content: Uint8Array, reader = extractor) =>
    reader.read(content, { path }).then(
      () => "none",
      (error: UserError) => `${error.key} ${error.params["path"]}`,
    );
  deepEqual(
    await Promise.all([
      key("a.pdf", bytes("no PDF")),
      key("a.html", new Uint8Array(5000)),
      key("a.docx", bytes("PK\x03\x04 cut off")),
    ]),
    ["document_damaged a.pdf", "not_text a.html", "document_damaged a.docx"],
  );
  using none = Extractor.none();
  deepEqual(await key("a.pdf", bytes("%PDF-1.7"), none), "extractor_unavailable a.pdf");
  // Source code is outlined by its keywords in this case.
  const code = await none.read(bytes("def rotate():\n    pass\n"), { path: "a.py" });
  deepEqual(code.document.sections.length, 1);
  await rejects(none.read(new Uint8Array(5000), { path: "a.bin" }), { key: "not_text" });
});
