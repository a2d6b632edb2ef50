import assert from "node:assert/strict";
import { loader } from "#documents/formats/pptx.ts";
import { NAMESPACES, officeFile, problemOf, relations } from "../ooxml.ts";

const shape = (type: string, top: number, paragraphs: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr>` +
  `<p:spPr><a:xfrm><a:off x="0" y="${top}"/><a:ext cx="100" cy="100"/></a:xfrm></p:spPr>` +
  `<p:txBody>${paragraphs}</p:txBody></p:sp>`;
const line = (text: string, level = 0) =>
  `<a:p><a:pPr lvl="${level}"><a:buChar char="•"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
const slide = (shapes: string, attributes = "") =>
  `<p:sld ${NAMESPACES} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

function presentation(...slides: string[]): Uint8Array<ArrayBuffer> {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join("");
  return officeFile("ppt/presentation.xml", {
    "ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      ...slides.map((_, i) => [`rId${i + 1}`, "slide", `slides/slide${i + 1}.xml`] as const),
    ),
    ...Object.fromEntries(slides.map((text, i) => [`ppt/slides/slide${i + 1}.xml`, text])),
  });
}

Deno.test("slides are pages with their title as heading and their shapes from top to bottom", async () => {
  const { text, pages, sections, emptyPages } = await loader.load(
    presentation(
      slide(shape("body", 200, line("one") + line("inner", 1)) + shape("title", 0, line("Keys"))),
      slide(""),
      slide(shape("title", 0, line("第二页"))),
    ),
    { path: "a.pptx" },
  );
  assert.equal(text, "# Keys\n\n- one\n  - inner\n\n# 第二页\n");
  assert.deepEqual(pages?.map(({ number, start }) => [number, start]), [[1, 0], [2, 24], [3, 24]]);
  assert.deepEqual(sections.map(({ title }) => title), ["Keys", "第二页"]);
  assert.deepEqual(emptyPages, [2]);
});

Deno.test("broken presentations are rejected with a reason", async () => {
  const whole = presentation(slide(shape("title", 0, line("x"))));
  assert.deepEqual(
    await Promise.all([
      problemOf(loader, whole.slice(0, whole.length - 30)),
      problemOf(loader, new Uint8Array()),
      problemOf(loader, officeFile("ppt/presentation.xml", {})),
      problemOf(loader, presentation(slide("<p:grpSp>".repeat(2000)))),
    ]),
    ["damaged", "damaged", "damaged", "too_complex"],
  );
});
