import { deepEqual, equal } from "node:assert/strict";
import {
  MarkdownBuilder,
  pagesToRecognise,
  recognisedImages,
  rowAt,
  withRecognisedText,
} from "#documents/mod.ts";
import { checkDocument } from "../_check_document.ts";

/** A document of four pages, of which the first, the third and the fourth have little text. */
function fourPages() {
  const builder = new MarkdownBuilder();
  builder.page(1);
  builder.page(2);
  builder.heading(1, "Tea");
  builder.paragraph("Steep green tea at eighty degrees, black tea at ninety-five, and white tea at seventy.");
  builder.image();
  builder.page(3);
  builder.heading(2, "Water");
  builder.page(4);
  return builder.finish({ emptyPages: [1, 4] });
}

Deno.test("text is recognised in the pages of scans with little text", () => {
  deepEqual(pagesToRecognise(fourPages(), "pdf"), [1, 3, 4]);
  deepEqual(pagesToRecognise(fourPages(), "docx"), []);
  deepEqual(pagesToRecognise({ text: "", sections: [] }, "pdf"), []);
});

Deno.test("recognised text lies at the end of its page, in the section that is open there", () => {
  const document = withRecognisedText(
    fourPages(),
    new Map([[1, "A cover"], [3, "Soft water.\n\n# 1 litre"], [4, ""], [9, "no such page"]]),
  );
  checkDocument(document);
  const { text, sections, pages = [], images = [], emptyPages, recognised } = document;
  deepEqual(pages.map(({ start, end }) => text.slice(start, end)), [
    "A cover\n\n",
    "# Tea\n\nSteep green tea at eighty degrees, black tea at ninety-five, and white tea at seventy.\n",
    "\n## Water\n\nSoft water.\n\n\\# 1 litre\n",
    "",
  ]);
  deepEqual(
    sections.map((
      { start, headingEnd, end },
    ) => [text.slice(start, headingEnd), text.slice(headingEnd, end)]),
    [["# Tea", text.slice(text.indexOf("\n\nSteep"))], ["## Water", "\n\nSoft water.\n\n\\# 1 litre\n"]],
  );
  deepEqual(images.map(({ at }) => text.slice(at - 9, at)), ["seventy.\n"]);
  deepEqual({ emptyPages, recognised }, { emptyPages: [4], recognised: [1, 3] });
});

Deno.test("a document without recognised text stays as it is", () => {
  const document = fourPages();
  deepEqual(withRecognisedText(document, new Map([[1, ""], [4, "  \n"]])), document);
});

Deno.test("the texts of consecutive empty pages are separate paragraphs", () => {
  const builder = new MarkdownBuilder();
  for (const number of [1, 2, 3]) builder.page(number);
  const document = withRecognisedText(builder.finish(), new Map([[1, "one"], [2, "two"], [3, "three"]]));
  checkDocument(document);
  deepEqual(document.text, "one\n\ntwo\n\nthree\n");
  const pages = document.pages!.map(({ start, end }) => document.text.slice(start, end));
  deepEqual(pages, ["one\n", "\ntwo\n", "\nthree\n"]);
});

/** The text below each picture of a document. */
const shown = (...texts: string[]) => new Map(texts.map((text, i) => [i + 1, { text }]));

Deno.test("the text of a picture stands below it and its caption, in its section", () => {
  const builder = new MarkdownBuilder();
  builder.heading(1, "Tea");
  builder.image("A cup");
  builder.paragraph("Figure 1: the cup");
  builder.image();
  builder.paragraph("Steep it.");
  builder.heading(1, "Water");
  builder.item({ depth: 0, text: "soft" });
  builder.image();
  builder.item({ depth: 0, text: "hard" });
  const document = withRecognisedText(builder.finish(), new Map(), shown("CUP", "POT\n\nKETTLE", "TAP"));
  checkDocument(document);
  const { text, sections, images = [] } = document;
  equal(
    text,
    "# Tea\n\n![A cup]()\n\nFigure 1: the cup\n\nCUP\n\nPOT\n\nKETTLE\n\nSteep it.\n\n# Water\n\n- soft\n\nTAP\n\n- hard\n",
  );
  deepEqual(images.map(({ recognised = [0, 0] }) => text.slice(...recognised)), [
    "CUP\n",
    "POT\n\nKETTLE\n",
    "TAP\n",
  ]);
  deepEqual(sections.map(({ start, end }) => text.slice(start, end).trim()), [
    text.slice(0, text.indexOf("# Water")).trim(),
    text.slice(text.indexOf("# Water")).trim(),
  ]);
  deepEqual(recognisedImages(images), [1, 2, 3]);
});

Deno.test("the text of pictures on empty slides belongs to their slides, which are not empty then", () => {
  const builder = new MarkdownBuilder();
  for (const number of [1, 2, 3]) {
    builder.page(number, "slide");
    if (number !== 2) builder.image();
  }
  const document = withRecognisedText(
    builder.finish({ emptyPages: [1, 2, 3] }),
    new Map(),
    shown("one", "three"),
  );
  checkDocument(document);
  const { text, pages = [], emptyPages } = document;
  deepEqual(pages.map(({ start, end }) => text.slice(start, end)), ["one\n", "", "\nthree\n"]);
  deepEqual(emptyPages, [2]);
});

Deno.test("the rows of a table below a picture keep their numbers", () => {
  const builder = new MarkdownBuilder();
  builder.table([["Tea"], ["green"]], [1, 2]);
  builder.image();
  builder.table([["Water"], ["soft"]], [4, 5]);
  const { text, rows = [] } = withRecognisedText(builder.finish(), new Map(), shown("two\n\nlines"));
  const numbered = text.split("\n").map((line, i) => [rowAt(rows, i + 1), line]);
  deepEqual(numbered.filter(([row]) => row !== undefined), [
    [1, "| Tea |"],
    [2, "| green |"],
    [4, "| Water |"],
    [5, "| soft |"],
  ]);
});

Deno.test("200,000 pictures with text take linear time", () => {
  const builder = new MarkdownBuilder();
  const count = 200_000;
  for (let i = 0; i < count; i++) builder.image();
  const texts = new Map(Array.from({ length: count }, (_, i) => [i + 1, { text: "a" }]));
  const { images = [] } = withRecognisedText(builder.finish(), new Map(), texts);
  deepEqual(images.at(-1)?.recognised, [3 * (count - 1), 3 * count - 1]);
});
