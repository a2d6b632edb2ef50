import assert from "node:assert/strict";
import { DocumentError, readDocument } from "#documents/mod.ts";
import { checkDocument } from "../_check_document.ts";

const read = async (text: string) => {
  const { document, format } = await readDocument(new TextEncoder().encode(text), { path: "library.bib" });
  assert.equal(format, "bibliography");
  checkDocument(document);
  return document;
};

Deno.test("a bibliography has a section for each entry, with letters for commands and names in their order", async () => {
  const { text, title, sections } = await read(`% Tea
@string{acm = "ACM Press"}
@article{muller2020,
  author = {M{\\"u}ller, J{\\'e}r{\\^o}me and {Tea Board} and others},
  editor = {\\L{}ukasz Nowak},
  title = {{The} {$\\alpha$}-Keys \\& \\textit{Locks}},
  year = 2020, month = may,
  keywords = {ops, key rotation},
  journal = acm # { Journal},
  abstract = {Costs \\$5\\textendash{}6 each.

Second paragraph.},
  file = {Full Text:papers/smith.pdf:application/pdf},
  date-added = {2020-05-01 10:00:00 +0200}
}
@book(li, author = "李雷", title = "茶经", date = {2021-03-02})
@misc{nameless, note = {See \\url{https://a.example/x_y}}}`);
  assert.equal(
    text,
    `## The α-Keys & Locks

article: muller2020
author: Jérôme Müller, Tea Board
editor: Łukasz Nowak
year: 2020
month: May
keywords: ops, key rotation
journal: ACM Press Journal
abstract: Costs $5–6 each. Second paragraph.

## 茶经

book: li
author: 李雷
date: 2021-03-02

## nameless

misc: nameless
note: See https://a.example/x_y
`,
  );
  // The first entry is not what the file is about.
  assert.equal(title, undefined);
  assert.deepEqual(sections.map(({ title }) => title), ["The α-Keys & Locks", "茶经", "nameless"]);
});

Deno.test("a command of LaTeX that has no letter is left out, whatever its name", async () => {
  const { text } = await read("@misc{a, title = {\\toString Tea \\constructor \\omega}}");
  assert.equal(text, "## Tea ω\n\nmisc: a\n");
});

Deno.test("the text of abbreviations is repeated within a limit", async () => {
  const fields = Array.from({ length: 100 }, (_, i) => `f${i}=long`).join();
  const { text } = await read(
    `@string{long = "${"tea ".repeat(5000)}"}\n${`@misc{a, ${fields}}\n`.repeat(50)}`,
  );
  assert.ok(text.length > 4_900_000 && text.length < 5_100_000, String(text.length));
  assert.ok(text.endsWith("\nf98: long\nf99: long\n"));
});

Deno.test("a bibliography without an entry stays as it is", async () => {
  assert.equal((await read("Notes on tea.\n\nNo entry yet.\n")).text, "Notes on tea.\n\nNo entry yet.\n");
});

Deno.test("broken and endless bibliographies take linear time", async () => {
  for (const mark of ["@", "@a{", "@a{b,c={", "{", "\\", "$", "\\alpha", " and ", "a=b,", "\n\n"]) {
    for (const text of [mark.repeat(200_000), `@a{b,author={${mark.repeat(200_000)}`]) {
      try {
        await read(text);
      } catch (error) {
        assert.ok(error instanceof DocumentError, String(error));
      }
    }
  }
});
