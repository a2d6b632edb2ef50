import assert from "node:assert/strict";
import { loader } from "#documents/docx/loader.ts";
import { NAMESPACES, officeFile, problemOf, relations } from "../ooxml.ts";

const STYLES = `<w:styles ${NAMESPACES}>
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Kapitel"/><w:basedOn w:val="1"/></w:style>
<w:style w:type="paragraph" w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="B"/></w:style>
<w:style w:type="paragraph" w:styleId="B"><w:name w:val="b"/><w:basedOn w:val="A"/></w:style>
</w:styles>`;

const NUMBERING = `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (text: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${text}</w:p>`;
const item = (level: number, text: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`;
const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;

function word(body: string): Uint8Array<ArrayBuffer> {
  return officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(
      ["rId1", "styles", "styles.xml"],
      ["rId2", "numbering", "numbering.xml"],
      ["rId3", "hyperlink", "https://example.org/"],
    ),
    "word/styles.xml": STYLES,
    "word/numbering.xml": NUMBERING,
  });
}

const textOf = async (body: string) => (await loader.load(word(body), { path: "a.docx" })).text;

Deno.test("headings, lists, tables and links become Markdown", async () => {
  const { text, sections } = await loader.load(
    word(
      paragraph(run("Keys"), "1") + paragraph(run("Rotate ") + run("them.")) +
        paragraph(run("How often"), "Mine") + item(0, "one") + item(1, "inner") + item(0, "two") +
        `<w:tbl><w:tr>${cell("Key")}${cell("Days")}</w:tr><w:tr>${cell("a|b")}${cell("90")}</w:tr></w:tbl>` +
        paragraph(`<w:hyperlink r:id="rId3">${run("site")}</w:hyperlink>`),
    ),
    { path: "a.docx" },
  );
  assert.equal(
    text,
    "# Keys\n\nRotate them.\n\n# How often\n\n1. one\n  - inner\n2. two\n\n" +
      "| Key | Days |\n| --- | --- |\n| a\\|b | 90 |\n\n[site](https://example.org/)\n",
  );
  assert.deepEqual(sections.map(({ level, title }) => [level, title]), [[1, "Keys"], [1, "How often"]]);
});

Deno.test("each of 20,000 links has its address; the first of two relations with one id counts", async () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => i);
  const links = numbers.map((i) => paragraph(`<w:hyperlink r:id="r${i}">${run(`${i}`)}</w:hyperlink>`));
  const file = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${links.join("")}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations(
      ...numbers.map((i) => [`r${i}`, "hyperlink", `https://example.org/${i}`] as const),
      ["r0", "hyperlink", "https://example.org/second"],
    ),
  });
  assert.equal(
    (await loader.load(file, { path: "a.docx" })).text,
    `${numbers.map((i) => `[${i}](https://example.org/${i})`).join("\n\n")}\n`,
  );
});

Deno.test("deleted text is left out; inserted text and equations are kept", async () => {
  assert.equal(
    await textOf(
      paragraph(
        run("a") + `<w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:ins>${run("c")}</w:ins>`,
      ) +
        paragraph(
          "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>",
        ),
    ),
    "ac\n\n$$\\frac{1}{2}$$\n",
  );
});

Deno.test("styles that are based on each other in a cycle are not headings", async () => {
  assert.equal(await textOf(paragraph(run("text"), "A")), "text\n");
});

Deno.test("broken or hostile files are rejected with a reason", async () => {
  const whole = word(paragraph(run("x")));
  const deep = "<w:sdt><w:sdtContent>".repeat(2000) + paragraph(run("x"));
  const bomb = officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}>${" ".repeat(40_000_000)}</w:document>`,
  });
  assert.deepEqual(
    await Promise.all([
      problemOf(loader, whole.slice(0, whole.length >> 1)),
      problemOf(loader, new Uint8Array()),
      problemOf(loader, new TextEncoder().encode("not a zip")),
      problemOf(loader, word(deep)),
      problemOf(loader, bomb),
      problemOf(loader, officeFile("word/document.xml", {})),
    ]),
    ["damaged", "damaged", "damaged", "too_complex", "too_complex", "damaged"],
  );
});

const BREAK = `<w:r><w:br w:type="page"/></w:r>`;
const NOTE = "<w:r><w:lastRenderedPageBreak/></w:r>";

/** The text of each page. */
async function pagesOf(body: string): Promise<string[]> {
  const { text, pages = [] } = await loader.load(word(body), { path: "a.docx" });
  assert.deepEqual(pages.map(({ number }) => number), pages.map((_, i) => i + 1));
  return pages.map(({ start, end }) => text.slice(start, end).trim());
}

Deno.test("a page begins at the author's break or at Word's note of it, counted once", async () => {
  for (
    const body of [
      paragraph(run("one")) + paragraph(BREAK) + paragraph(run("two")) + paragraph(BREAK) +
      paragraph(run("three")),
      paragraph(run("one")) + paragraph(BREAK) + paragraph(NOTE + run("two")) + paragraph(BREAK) +
      paragraph(NOTE + run("three")),
      paragraph(run("one")) + `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${NOTE}${run("two")}</w:p>` +
      paragraph(NOTE + run("three")),
      paragraph(run("one") + BREAK) + paragraph(NOTE + run("two")) + paragraph(NOTE + run("three")),
    ]
  ) assert.deepEqual(await pagesOf(body), ["one", "two", "three"], body);
});

Deno.test("a page that begins within a paragraph, table, list, content control or code begins there", async () => {
  const code = (text: string) =>
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
  const row = (text: string, note = "") =>
    `<w:tr><w:tc>${paragraph(note + run(text))}</w:tc>${cell("x")}</w:tr>`;
  for (
    const [body, pages] of [
      [paragraph(run("one ") + NOTE + run("two.")), ["one", "two."]],
      [
        `<w:tbl>${row("head")}${row("one")}${row("two", NOTE)}</w:tbl>${paragraph(run("end"))}`,
        ["| head | x |\n| --- | --- |\n| one | x |\n|", "two | x |\n\nend"],
      ],
      [item(0, "one") + item(0, "two").replace("<w:t ", "<w:t>o</w:t><w:lastRenderedPageBreak/><w:t "), [
        "1. one\n2. o",
        "two",
      ]],
      [
        `<w:sdt><w:sdtContent>${paragraph(run("one"))}${paragraph(NOTE)}${
          paragraph(run("two"))
        }</w:sdtContent></w:sdt>`,
        ["one", "two"],
      ],
      [code("one();") + paragraph(NOTE + run("Two.")), ["```\none();", "```\n\nTwo."]],
      [code("one();") + code("two();").replace("<w:t>", "<w:lastRenderedPageBreak/><w:t>"), [
        "```\none();",
        "two();\n```",
      ]],
    ] as const
  ) assert.deepEqual(await pagesOf(body), pages, body);
});

Deno.test("a page begins where a style or a section begins one, but never an empty one", async () => {
  const styles = `<w:styles ${NAMESPACES}>${
    ["<w:pageBreakBefore/>", '<w:pageBreakBefore w:val="0"/>'].map((property, i) =>
      `<w:style w:type="paragraph" w:styleId="P${i}"><w:name w:val="Part ${i}"/>${
        i === 1 ? '<w:basedOn w:val="P0"/>' : ""
      }<w:pPr><w:outlineLvl w:val="0"/>${property}</w:pPr></w:style>`
    ).join("")
  }</w:styles>`;
  const pages = async (body: string) => {
    const bytes = officeFile("word/document.xml", {
      "word/document.xml": `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
      "word/styles.xml": styles,
      "word/_rels/document.xml.rels": relations(["rId1", "styles", "styles.xml"]),
    });
    const { text, pages = [] } = await loader.load(bytes, { path: "a.docx" });
    return pages.map(({ start, end }) => text.slice(start, end).trim());
  };
  const part = (text: string, style = 0) =>
    `<w:p><w:pPr><w:pStyle w:val="P${style}"/></w:pPr>${run(text)}</w:p>`;
  const section = (type: string) => `<w:sectPr>${type === "" ? "" : `<w:type w:val="${type}"/>`}</w:sectPr>`;
  const last = (text: string, type: string) => `<w:p><w:pPr>${section(type)}</w:pPr>${run(text)}</w:p>`;
  for (
    const [body, expected] of [
      [part("One") + paragraph(run("text")) + part("Two") + part("Three", 1), [
        "# One\n\ntext",
        "# Two\n\n# Three",
      ]],
      [paragraph(run("one") + BREAK) + part("Two"), ["one", "# Two"]],
      [`<w:sdt><w:sdtContent>${paragraph(run("one"))}${part("Two")}</w:sdtContent></w:sdt>`, [
        "one",
        "# Two",
      ]],
      [last("one", "continuous") + part("Two") + section(""), ["one", "# Two"]],
      [last("one", "") + paragraph(run("two")) + section("oddPage"), ["one", "two"]],
      [
        last("one", "nextPage") + last("two", "continuous") + paragraph(run("three")) + section("continuous"),
        [],
      ],
      [last("one", "") + paragraph(NOTE + run("two")) + section(""), ["one", "two"]],
      [`<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run(" ")}${BREAK}${run("Two")}</w:p>`, ["", "# Two"]],
      [
        `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run("One ")}${BREAK}${run("Two")}</w:p>`,
        ["# One", "Two"],
      ],
    ] as const
  ) assert.deepEqual(await pages(body), expected, body);
});

Deno.test("a break in text that is left out still counts", async () => {
  const contents =
    `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${
      paragraph(run("Keys 3"))
    }${paragraph(NOTE + run("Locks 5"))}</w:sdtContent></w:sdt>`;
  assert.deepEqual(await pagesOf(paragraph(run("one")) + contents + paragraph(NOTE + run("three"))), [
    "one",
    "",
    "three",
  ]);
});

Deno.test("check boxes of content controls, of forms and of symbol fonts are those of a task list", async () => {
  const box = (checked: string) =>
    `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">` +
    `<w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${
      run("☐")
    }</w:sdtContent></w:sdt>`;
  const field = (data: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r>` +
    `<w:r><w:instrText> FORM </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  assert.equal(
    await textOf(
      paragraph(box("1") + run(" Tested")) + paragraph(box("0") + run(" Released")) +
        paragraph(field(`<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>`) + run(" 已批准")) +
        paragraph(field(`<w:checkBox><w:default w:val="0"/></w:checkBox>`) + run(" 未批准")) +
        paragraph(
          run("Agree: ") + `<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>` + run(" yes ☐ no"),
        ) +
        paragraph(
          run("Size: ") + field(
            `<w:ddList><w:result w:val="1"/>` +
              `<w:listEntry w:val="small"/><w:listEntry w:val="large"/></w:ddList>`,
          ),
        ),
    ),
    "- [x] Tested\n- [ ] Released\n- [x] 已批准\n- [ ] 未批准\n\nAgree: [x] yes [ ] no\n\nSize: large\n",
  );
});
