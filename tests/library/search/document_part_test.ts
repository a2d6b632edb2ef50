import { deepEqual, throws } from "node:assert/strict";
import { MarkdownBuilder } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { documentPart } from "#library/search/mod.ts";

const builder = new MarkdownBuilder();
builder.page(1);
builder.heading(1, "Keys");
builder.paragraph("Rotate them.");
builder.page(2);
builder.heading(2, "How often");
builder.paragraph("Every 90 days.");
builder.page(3);
builder.heading(1, "Locks");
builder.paragraph("One\ntwo\nthree.");
// 1 "# Keys", 3 "Rotate them.", 5 "## How often", 7 "Every 90 days.", 9 "# Locks", 11-13
const DOCUMENT = builder.finish();

Deno.test("documentPart() returns lines, pages and sections with their positions", () => {
  const part = (request: Parameters<typeof documentPart>[1]) =>
    documentPart(DOCUMENT, request, 1000, "a.pdf");
  deepEqual(part({ startLine: 3, endLine: 3 }), {
    text: "Rotate them.\n",
    startLine: 3,
    endLine: 3,
    totalLines: 13,
    pages: [1, 1],
    section: ["Keys"],
  });
  deepEqual(part({ page: 2 }), {
    text: "## How often\n\nEvery 90 days.\n",
    startLine: 5,
    endLine: 7,
    totalLines: 13,
    pages: [2, 2],
    section: ["Keys", "How often"],
  });
  const often = part({ page: 2 });
  deepEqual(part({ section: "how  OFTEN" }).text.trimEnd(), often.text.trimEnd());
  deepEqual(part({ section: "Keys > How often" }).text.trimEnd(), often.text.trimEnd());
  deepEqual(part({ section: "Keys", page: 1 }).text, "# Keys\n\nRotate them.\n");
  deepEqual(part({}).pages, [1, 3]);
});

Deno.test("documentPart() ends after a line within its budget and returns the next line", () => {
  const first = documentPart(DOCUMENT, { section: "Locks" }, 14, "a.pdf");
  deepEqual([first.text, first.nextLine], ["# Locks\n\nOne\n", 12]);
  const second = documentPart(DOCUMENT, { section: "Locks", startLine: 12 }, 14, "a.pdf");
  deepEqual([second.text, second.nextLine], ["two\nthree.\n", undefined]);
});

Deno.test("documentPart() cuts a line longer than its budget into consecutive parts", () => {
  const text = `a\n${"x".repeat(7)}😀${"y".repeat(9)}\nz\n`;
  const parts: string[] = [];
  for (
    let next: Parameters<typeof documentPart>[1] | undefined = {};
    next !== undefined && parts.length < 9;
  ) {
    const part = documentPart({ text, sections: [] }, next, 8, "a.txt");
    parts.push(part.text);
    next = part.nextLine === undefined ? undefined : {
      startLine: part.nextLine,
      ...(part.nextColumn === undefined ? {} : { startColumn: part.nextColumn }),
    };
  }
  deepEqual(parts, ["a\n", "xxxxxxx", "😀yyyyyy", "yyy\nz\n"]);
});

Deno.test("documentPart() finds headings that contain the separator of paths", () => {
  const book = new MarkdownBuilder();
  for (const [level, title] of [[1, "File > Open"], [2, "Vec<T> › map"], [1, "If a>b"]] as const) {
    book.heading(level, title);
    book.paragraph(`About ${level}.`);
  }
  const document = book.finish();
  const line = (section: string) => documentPart(document, { section }, 1000, "a.md").startLine;
  deepEqual(
    ["file > open", "File › Open > Vec<T> › map", "Vec<T> > map", "if a > b"].map(line),
    [1, 5, 5, 9],
  );
});

Deno.test("documentPart() names similar headings for a section that the document does not have", () => {
  const nearest = (section: string) => {
    try {
      documentPart(DOCUMENT, { section }, 1000, "a.pdf");
    } catch (error) {
      return (error as UserError).params.nearest;
    }
  };
  deepEqual(["lock", "Keys > How oftne", "k", "keeping clocks in order"].map(nearest), [
    "Locks",
    "How often",
    "Keys\0Locks",
    "Locks\0Keys\0How often",
  ]);
});

Deno.test("documentPart() throws for a page or section that the document does not have", () => {
  const error = (key: string) => (thrown: unknown) => thrown instanceof UserError && thrown.key === key;
  const part = (request: Parameters<typeof documentPart>[1], document = DOCUMENT) => () =>
    documentPart(document, request, 1000, "a.pdf");
  throws(part({ page: 4 }), error("document_no_such_page"));
  throws(part({ pages: "4-9" }), error("document_no_such_page"));
  for (const pages of ["3-2", "two", "1,3", "-1"]) throws(part({ pages }), error("bad_page_range"));
  throws(part({ section: "Doors" }), error("document_no_such_section"));
  throws(part({ startLine: 14 }), error("bad_line_range"));
  throws(part({ page: 1 }, { text: "a\n", sections: [] }), error("document_without_pages"));
});

Deno.test("documentPart() reads a range of pages, and leaves out those behind the last one", () => {
  const read = (pages: string) => documentPart(DOCUMENT, { pages }, 1000, "a.pdf").pages;
  deepEqual(["2", "1-2", "2 – 3", "2-99"].map(read), [[2, 2], [1, 2], [2, 3], [2, 3]]);
});
