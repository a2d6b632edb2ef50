import { deepEqual } from "node:assert/strict";
import { MarkdownBuilder, pagesToRecognise, withRecognisedText } from "#documents/mod.ts";
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
