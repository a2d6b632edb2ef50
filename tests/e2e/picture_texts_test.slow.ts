import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { modelsWithOcr } from "../documents/recognition/_language_data.ts";
import { sample } from "../documents/recognition/_samples.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { makeSandbox, smokeTest } from "./_program.ts";

/** A Word document with an icon, and a picture of the text "The warranty period begins …" between two chapters. */
const WORD = officeFile("word/document.xml", {
  "word/document.xml": `<w:document ${NAMESPACES}><w:body>
    ${heading("Deliveries")}${paragraph("Crates arrive on Mondays.")}${picture("rId1")}
    ${heading("Contract")}${paragraph("The page that both sides signed:")}${picture("rId2")}
    ${paragraph("Figure 1: the signed page")}
    ${heading("Payment")}${paragraph("Invoices are paid within a month.")}
  </w:body></w:document>`,
  "word/_rels/document.xml.rels": relations(
    ["rId1", "image", "media/icon.png"],
    ["rId2", "image", "media/scan.png"],
  ),
  "word/media/icon.png": makePng(64, 64),
  "word/media/scan.png": sample("en.png"),
});

function heading(text: string): string {
  return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

function picture(id: string): string {
  return `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill>
    <a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

/** A presentation whose second slide is the picture of a Chinese text, which the third slide repeats. */
const SLIDES = officeFile("ppt/presentation.xml", {
  "ppt/presentation.xml": `<p:presentation ${NAMESPACES}><p:sldIdLst>${
    [1, 2, 3].map((n) => `<p:sldId r:id="rId${n}"/>`).join("")
  }</p:sldIdLst></p:presentation>`,
  "ppt/_rels/presentation.xml.rels": relations(
    ...[1, 2, 3].map((n) => [`rId${n}`, "slide", `slides/slide${n}.xml`] as const),
  ),
  "ppt/slides/slide1.xml": slide(
    `<p:sp><p:txBody><a:p><a:r><a:t>Plans for the year</a:t></a:r></a:p></p:txBody></p:sp>`,
  ),
  ...Object.fromEntries([2, 3].flatMap((n) => [
    [
      `ppt/slides/slide${n}.xml`,
      slide(`<p:pic><p:blipFill><a:blip r:embed="rId1"/></p:blipFill><p:spPr/></p:pic>`),
    ],
    [`ppt/slides/_rels/slide${n}.xml.rels`, relations(["rId1", "image", "../media/move.png"])],
  ])),
  "ppt/media/move.png": sample("zh.png"),
});

function slide(shapes: string): string {
  return `<p:sld ${NAMESPACES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
}

/** Returns the id of a picture without the mark of its document's state. */
const unmarked = (id: string) => id.replace(/\.[0-9a-f]{8}$/, "");

smokeTest(
  "the text of pictures in a Word document and a presentation is found with its place and its picture",
  async (start, t) => {
    await using sandbox = await makeSandbox(
      { "contract.docx": WORD, "plans.pptx": SLIDES },
      { start },
    );
    sandbox.env["MUXUE_RAG_MODELS_DIR"] = await modelsWithOcr();
    const config = join(sandbox.cwd, "config.json");
    const settings = { language: "en", files: { ocr: "tesseract" }, chunking: { max_chars: 200 } };
    await Deno.writeTextFile(config, JSON.stringify(settings));
    const flags = ["--dir", sandbox.folder, "--config", config];
    const path = (name: string) => join(sandbox.folder, name);
    const find = async (query: string) => {
      const { stdout } = await sandbox.run`search ${query} ${flags} --json`;
      return JSON.parse(stdout).data.match_content[0];
    };

    await t.step("indexing and status count the pictures", async () => {
      const { code, stdout, stderr } = await sandbox.run`index ${flags}`;
      equal(code, 0, stderr);
      match(stdout, /Recognised text +2 pictures\n/);
      match((await sandbox.run`status ${flags}`).stdout, /Recognised text +2 pictures\n/);
    });
    await t.step("a search finds the picture in the document, under its heading", async () => {
      const hit = await find("claims filed in writing within fourteen days");
      deepEqual([hit.file_path, hit.section, hit.recognised, hit.image_refs.map(unmarked)], [
        path("contract.docx"),
        ["Contract"],
        true,
        [`${path("contract.docx")}#image=2`],
      ]);
      match(hit.content, /^The warranty period begins on the day of acceptance/);
    });
    await t.step("a search finds the slide that is a picture, once", async () => {
      const hit = await find("数据中心搬迁 服务器");
      deepEqual([hit.file_path, hit.page, hit.recognised, hit.image_refs.map(unmarked)], [
        path("plans.pptx"),
        2,
        true,
        [1, 2].map((number) => `${path("plans.pptx")}#image=${number}`),
      ]);
      match((await sandbox.run`search ${"数据中心搬迁"} ${flags}`).stdout, /recognised text/);
    });
    await t.step("a text beside the pictures has no mark", async () => {
      const hit = await find("invoices paid within a month");
      deepEqual([hit.section, hit.recognised, hit.image_refs], [["Payment"], undefined, undefined]);
    });
    await t.step("extract gives the text with the numbers of its pictures", async () => {
      const { stdout } = await sandbox.run`extract ${path("contract.docx")} ${flags.slice(2)} --json`;
      const { recognised_images: images, markdown } = JSON.parse(stdout);
      deepEqual(images, [2]);
      match(markdown, /Figure 1: the signed page\n\nThe warranty period begins on the day of acceptance/);
    });
    await t.step("chunking.ignore_images leaves the pictures out", async () => {
      await Deno.writeTextFile(config, JSON.stringify({ ...settings, chunking: { ignore_images: true } }));
      const { stdout } = await sandbox.run`index ${flags}`;
      equal(/Recognised text/.test(stdout), false, stdout);
      const { markdown } = JSON.parse(
        (await sandbox.run`extract ${path("contract.docx")} ${flags.slice(2)} --json`).stdout,
      );
      equal(/warranty/.test(markdown), false);
    });
  },
);
