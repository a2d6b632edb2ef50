import assert from "node:assert/strict";
import { MarkdownBuilder } from "#documents/mod.ts";

Deno.test("a document is built block by block, with sections, pages and pictures at their offsets", () => {
  const builder = new MarkdownBuilder();
  builder.page(1);
  builder.heading(1, "Keys\nand locks");
  builder.paragraph("Rotate snake_case keys\n every 90 days.");
  builder.item({ depth: 0, text: "one" });
  builder.item({ depth: 1, number: 2, text: "two\nlines" });
  builder.page(2);
  builder.heading(2, "Table");
  builder.table([["a|b", "c"], ["1"]]);
  builder.code("x = ```\n````", "py");
  builder.image("A [chart]");
  const document = builder.finish({ metadata: { authors: ["Li"] } });
  const text =
    "# Keys and locks\n\nRotate snake_case keys\nevery 90 days.\n\n- one\n  2. two\n     lines\n\n" +
    "## Table\n\n| a\\|b | c |\n| --- | --- |\n| 1 |  |\n\n`````py\nx = ```\n````\n`````\n\n![A chart]()\n";
  const second = text.indexOf("\n## Table");
  assert.deepEqual(document, {
    text,
    title: "Keys and locks",
    sections: [
      {
        start: 0,
        headingEnd: 16,
        end: text.length,
        level: 1,
        title: "Keys and locks",
        path: ["Keys and locks"],
      },
      {
        start: second + 1,
        headingEnd: second + 9,
        end: text.length,
        level: 2,
        title: "Table",
        path: ["Keys and locks", "Table"],
      },
    ],
    pages: [{ number: 1, start: 0, end: second }, { number: 2, start: second, end: text.length }],
    images: [{ at: text.indexOf("![A chart]"), page: 2, caption: "A chart" }],
    metadata: { authors: ["Li"] },
  });
});

Deno.test("only lines of a paragraph that look like another block are escaped", () => {
  const builder = new MarkdownBuilder();
  builder.paragraph("# no heading\n- no item\n12. no item\n```\n> no quotation\n---\n#tag 2 * 3 _x_ [y]");
  assert.equal(
    builder.finish().text,
    "\\# no heading\n\\- no item\n12\\. no item\n\\```\n\\> no quotation\n\\---\n#tag 2 * 3 _x_ [y]\n",
  );
});

Deno.test("blank blocks add nothing", () => {
  const builder = new MarkdownBuilder();
  builder.heading(1, " \n");
  builder.paragraph("\n \n");
  builder.item({ depth: 0, text: " " });
  builder.code("\n");
  builder.table([]);
  assert.deepEqual(builder.finish(), { text: "", sections: [] });
});

Deno.test("code of a million blanks is added in linear time", () => {
  const builder = new MarkdownBuilder();
  const blanks = " ".repeat(500_000) + "\n".repeat(500_000);
  builder.code(`a${blanks}b`);
  builder.block(`a${blanks}b`);
  assert.equal(builder.finish().text, `\`\`\`\na${blanks}b\n\`\`\`\n\na${blanks}b\n`);
});
