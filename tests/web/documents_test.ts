import { deepEqual, equal, ok } from "node:assert/strict";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

const MANY = Object.fromEntries(
  Array.from({ length: 1500 }, (_, i) => [`notes/${String(i).padStart(4, "0")}.md`, `Note ${i}.\n`]),
);

Deno.test("thousands of documents are listed, sorted and filtered, with the state in the address", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages({ ...MANY, "guide.md": "# Guide\n\nHow to archive mail.\n" });
  const { page } = opened;
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  const list = page.getByRole("list", { name: "Documents" });
  await list.getByRole("button", { name: "guide.md" }).waitFor();
  await page.getByText("1,501 files").waitFor();
  ok(await list.getByRole("listitem").count() < 100, "only visible rows are in the page");
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await list.getByRole("button", { name: "notes/1499.md" }).waitFor();
  await page.getByRole("button", { name: "Path" }).click();
  await page.getByRole("button", { name: "Path ↓" }).waitFor();
  await list.getByRole("button", { name: "notes/1499.md" }).waitFor();
  await page.getByRole("textbox", { name: "Text" }).fill("0042");
  await page.keyboard.press("Enter");
  await page.getByText("1 file", { exact: true }).waitFor();
  const { search } = new URL(page.url());
  deepEqual([...new URLSearchParams(search)], [["sort", "-path"], ["text", "0042"]]);
  await page.reload();
  await list.getByRole("button", { name: "notes/0042.md" }).waitFor();
  equal(await list.getByRole("listitem").count(), 1);
});

/** A Word document with a picture. */
const PUMP = officeFile("word/document.xml", {
  "word/document.xml": `<w:document ${NAMESPACES}><w:body>
    <w:p><w:r><w:t>A pump moves water.</w:t></w:r></w:p>
    <w:p><w:r><w:drawing><wp:inline><wp:docPr descr="A red pump"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>
      <a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>
  </w:body></w:document>`,
  "word/_rels/document.xml.rels": relations(["rId1", "image", "media/pump.png"]),
  "word/media/pump.png": makePng(400, 200, { noise: true }),
});

Deno.test("a document shows its chunks with borders, and its pictures", { ignore: NO_BROWSER }, async () => {
  const text = Array.from({ length: 200 }, (_, i) => `Line ${i} about tea, water and time.`).join("\n");
  await using opened = await openPages({ "tea.md": `# Tea\n\n${text}\n`, "pump.docx": PUMP });
  const { page } = opened;
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  await page.getByRole("button", { name: "tea.md" }).click();
  await page.getByRole("heading", { level: 2, name: "tea.md" }).waitFor();
  const chunks = page.locator("section.chunk");
  await chunks.nth(2).waitFor();
  ok((await chunks.nth(1).innerText()).includes("shares"));
  await page.keyboard.press("Escape");
  await page.getByRole("list", { name: "Documents" }).getByRole("button", { name: "pump.docx" }).click();
  await page.getByText("Layout, fonts and positions are not kept").waitFor();
  const picture = page.getByRole("img", { name: "A red pump" });
  await picture.waitFor();
  ok((await picture.getAttribute("src"))!.startsWith("blob:"));
});
