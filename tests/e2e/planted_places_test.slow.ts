import { deepEqual, equal, match } from "node:assert/strict";
import { utils, write } from "@e965/xlsx";
import { makePdf } from "../documents/pdf/make_pdf.ts";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { data, xlsxOf } from "../documents/xlsx/xlsx_of.ts";
import { zipOf } from "../documents/zip_of.ts";
import { openPipe, type Pipe } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

/** The subjects of twenty sentences, one for each page. They are short, so that a chunk holds many pages. */
const SUBJECTS = [
  "harbour library museum stadium brewery airport hospital cathedral bakery cinema",
  "castle theatre zoo quarry vineyard lighthouse observatory monastery greenhouse tannery",
].flatMap((line) => line.split(" "));
const SENTENCES = SUBJECTS.map((subject, i) => `The ${subject} closes its gate at ${i + 3} minutes past.`);
const utf8 = (text: string) => new TextEncoder().encode(text);
const pdfPages = SENTENCES.map((sentence) => `BT /F1 12 Tf 72 700 Td (${sentence}) Tj ET`);
const paragraph = (text: string, more = "") => `<w:p><w:r>${more}<w:t>${text}</w:t></w:r></w:p>`;
const word = (paragraphs: readonly string[]) =>
  officeFile("word/document.xml", {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${paragraphs.join("")}</w:body></w:document>`,
  });
const slide = (text: string) =>
  `<p:sld ${NAMESPACES}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
const numbered = <Value>(valueOf: (sentence: string, i: number) => [string, Value]) =>
  Object.fromEntries(SENTENCES.map(valueOf));
const two = (value: number) => String(value).padStart(2, "0");

/** Documents with one sentence on each of twenty pages, and what a citation names. */
const DOCUMENTS: Readonly<
  Record<string, { bytes: Uint8Array<ArrayBuffer>; unit?: string; label?: (i: number) => string }>
> = {
  "plain.pdf": { bytes: makePdf({ pages: pdfPages }) },
  "outline.pdf": {
    bytes: makePdf({
      pages: pdfPages,
      outline: [{ title: "Opening", page: 0 }, { title: "Middle", page: 7 }, { title: "End", page: 15 }],
    }),
  },
  "slides.pptx": {
    unit: "slide",
    bytes: officeFile("ppt/presentation.xml", {
      "ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${
        SENTENCES.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join("")
      }</p:sldIdLst></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": relations(
        ...SENTENCES.map((_, i) => [`rId${i + 1}`, "slide", `slides/slide${i + 1}.xml`] as const),
      ),
      ...numbered((sentence, i) => [`ppt/slides/slide${i + 1}.xml`, slide(sentence)]),
    }),
  },
  "rendered.docx": {
    bytes: word(SENTENCES.map((text, i) => paragraph(text, i === 0 ? "" : "<w:lastRenderedPageBreak/>"))),
  },
  "breaks.docx": {
    bytes: word(
      SENTENCES.map((text, i) =>
        (i === 0 ? "" : '<w:p><w:r><w:br w:type="page"/></w:r></w:p>') + paragraph(text)
      ),
    ),
  },
  // As Word saves it: a note after each break.
  "noted.docx": {
    bytes: word(
      SENTENCES.map((text, i) =>
        i === 0
          ? paragraph(text)
          : `<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph(text, "<w:lastRenderedPageBreak/>")}`
      ),
    ),
  },
  "book.xlsx": {
    unit: "sheet",
    label: (i) => `Part ${i + 1}`,
    bytes: xlsxOf(numbered((sentence, i) => [`Part ${i + 1}`, data(["note"], [sentence])])),
  },
  "book.epub": {
    unit: "chapter",
    bytes: zipOf({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`,
      "a.opf": `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${
        SENTENCES.map((_, i) => `<item id="c${i}" href="c${i}.xhtml" media-type="application/xhtml+xml"/>`)
          .join("")
      }</manifest><spine>${SENTENCES.map((_, i) => `<itemref idref="c${i}"/>`).join("")}</spine></package>`,
      ...numbered((sentence, i) => [
        `c${i}.xhtml`,
        `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>${sentence}</p></body></html>`,
      ]),
    }),
  },
  "notes.ipynb": {
    unit: "cell",
    bytes: utf8(JSON.stringify({
      nbformat: 4,
      metadata: {},
      cells: SENTENCES.map((source) => ({ cell_type: "markdown", metadata: {}, source })),
    })),
  },
  "letters.mbox": {
    unit: "message",
    bytes: utf8(
      SENTENCES.map((text, i) =>
        `From li@x.example Mon Jan  1 00:00:${
          two(i)
        } 2024\nFrom: li@x.example\nSubject: Letter\n\n${text}\n\n`
      ).join(""),
    ),
  },
  "talk.vtt": {
    unit: "time",
    label: (i) => `${two(i)}:10`,
    bytes: utf8(
      "WEBVTT\n\n" +
        SENTENCES.map((text, i) => `${two(i)}:10.000 --> ${two(i)}:12.000\n${text}\n\n`).join(""),
    ),
  },
};

const FILES = Object.fromEntries(Object.entries(DOCUMENTS).map(([name, { bytes }]) => [name, bytes]));

async function bestHit(pipe: Pipe, keyword: string, path: string) {
  const { result } = await pipe.call("search_rag", { keyword, path, top_k: 1, max_tokens: 20_000 });
  return { hit: result.structuredContent.data.match_content[0], text: result.content[0].text as string };
}

Deno.test("twenty sentences of each format are cited with the page, slide, sheet, chapter, cell, message or time they are on, and read by it", async (t) => {
  await using sandbox = await makeIndexed(FILES, { env: { MUXUE_RAG_MCP_TOOLS: "all" } });
  await using pipe = await openPipe(sandbox);
  for (const [name, { unit, label }] of Object.entries(DOCUMENTS)) {
    const cited = [];
    for (const subject of SUBJECTS) {
      const { hit } = await bestHit(pipe, `when does the ${subject} close its gate`, name);
      const { page, page_start: start, page_end: end, page_unit, page_label } = hit;
      const shown = SENTENCES.flatMap((sentence, i) => hit.content.includes(sentence) ? [i + 1] : []);
      deepEqual([start, end], [shown[0], shown.at(-1)], `${name}: ${subject}`);
      cited.push({ page, page_unit, page_label });
    }
    const expected = SENTENCES.map((_, i) => ({ page: i + 1, page_unit: unit, page_label: label?.(i) }));
    deepEqual(cited, expected, name);
  }
  for (const [language, page] of [["zh", "第 6 页"], ["en", "p\\. 6"]] as const) {
    const env = { ...sandbox.env, MUXUE_RAG_LANGUAGE: language };
    await using spoken = await openPipe({ ...sandbox, env });
    const { text } = await bestHit(spoken, "when does the airport close its gate", "outline.pdf");
    match(text, new RegExp(`outline\\.pdf:\\d+-\\d+ \\(.*${page}\\)`));
  }

  await t.step("the tools that read documents take pages, as an argument or after the path", async () => {
    const data = async (name: string, args: Record<string, unknown>) =>
      (await pipe.call(name, args)).result.structuredContent.data;
    const said = (text: string) => SENTENCES.filter((sentence) => text.includes(sentence));
    const paths = ["talk.vtt#page=3-5", "outline.pdf#page=7", "outline.pdf#page=30"];
    const { documents } = await data("read_documents", { paths });
    const expected = [SENTENCES.slice(2, 5), [SENTENCES[6]], []];
    deepEqual(documents.map(({ content = "" }) => said(content)), expected);
    const { content } = await data("get_document_content", { file_path: "outline.pdf#page=9-10" });
    deepEqual(said(content), SENTENCES.slice(8, 10));
    const { sections } = await data("list_document_sections", { file_path: "book.xlsx", pages: "9-10" });
    deepEqual(sections.map(({ title }: { title: string }) => title), ["Part 9", "Part 10"]);
  });
});

Deno.test("an index of workbooks with hidden sheets, new and old, is sound, although the last sheet has a greater number than there are shown ones", async () => {
  const sheets = {
    First: data(["note"], ["a"]),
    Second: data(["note"], ["b"]),
    Third: data(["note"], [SENTENCES[0]!]),
  };
  const old = utils.book_new();
  for (const [i, name] of Object.keys(sheets).entries()) {
    utils.book_append_sheet(old, utils.aoa_to_sheet([["note"], [SENTENCES[i]]]), name);
  }
  old.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 2 }, { Hidden: 0 }] };
  await using sandbox = await makeIndexed({
    "book.xlsx": xlsxOf(sheets, { states: { First: "hidden", Second: "veryHidden" } }),
    "old.xls": new Uint8Array(write(old, { type: "array", bookType: "biff8" })),
  });
  for (const command of ["verify", "doctor"]) {
    const { code, stdout } = await sandbox.run`${command} --dir ${sandbox.folder} --language en`;
    equal(code, 0, `${command}: ${stdout}`);
  }
});
