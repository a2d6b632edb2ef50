import { equal, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { rc4Encryption } from "../documents/pdf/_encrypt.ts";
import { makePdf } from "../documents/pdf/make_pdf.ts";
import { NO_BROWSER, type OpenedPages, openPages } from "./_browser.ts";

/** Lines of text from the top of a page, 20 points apart. */
function lines(...texts: string[]): string {
  return texts.map((text, i) => `BT /F1 12 Tf 72 ${700 - 20 * i} Td (${text}) Tj ET`).join("\n");
}

const MANUAL = makePdf({
  pages: [
    lines("Contents of this manual", "The valve is described on the second page."),
    lines(
      "The boiler must be descaled every month,",
      "or the safety valve will stick and leak.",
      "Rinse with water.",
    ),
    lines("The pump needs no care."),
  ],
});

/** Searches, and opens the original of the first hit, which is in the file `name`. */
async function openOriginal({ page }: OpenedPages, query: string, name: string): Promise<Page> {
  await page.getByRole("searchbox").fill(query);
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: `1. ${name}` }).getByRole("button").first().click();
  await page.getByRole("region", { name: new RegExp(`^(?:Original: |原文：)${name}`) }).waitFor();
  return page;
}

/** Waits for the marks, and returns the place of the current one on its page, in parts of it. */
async function currentMark(page: Page) {
  const mark = page.locator(".page .current").first();
  await mark.waitFor({ state: "attached" });
  const style = await mark.getAttribute("style") ?? "";
  const part = (name: string) => Number(new RegExp(`\\b${name}: ([\\d.]+)%`).exec(style)?.[1]);
  const shown = await page.locator(".page").getAttribute("data-page");
  return { page: Number(shown), left: part("left"), top: part("top"), width: part("width") };
}

Deno.test("the page of a PDF is shown with the passage marked, and keys go from mark to mark", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages({ "manual.pdf": MANUAL });
  const page = await openOriginal(opened, "how often is the boiler descaled", "manual.pdf");
  const first = await currentMark(page);
  equal(first.page, 2);
  // "boiler" begins after "The " at 72 of 600 points, and its line lies 100 of 800 points below the top.
  ok(Math.abs(first.left - 100 * (72 + 22) / 600) < 1, `${first.left}`);
  ok(Math.abs(first.top - 100 * (100 - 0.8 * 12) / 800) < 1, `${first.top}`);
  const steps = page.getByRole("region").getByRole("status").filter({ hasText: /Mark/ });
  equal(await steps.innerText(), "Mark 1 of 2");
  await page.keyboard.press("n");
  await page.getByText("Mark 2 of 2").waitFor();
  // Its place is computed after its number is shown.
  await page.locator(`.page .current:not([style*="left: ${first.left}%"])`).first().waitFor();
  await page.keyboard.press("n");
  await page.getByText("Mark 1 of 2").waitFor();
  equal(await page.getByRole("spinbutton", { name: "Page" }).inputValue(), "2");
  await page.keyboard.press("]");
  equal(await page.getByRole("spinbutton", { name: "Page" }).inputValue(), "3");
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: /^Original/ }).waitFor({ state: "detached" });
});

/** A font that is not in the file, as many Chinese programs write it. */
const SONG =
  "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< " +
  "/Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 " +
  "/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>";

function song(text: string): string {
  const codes = Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("");
  return `BT /C1 12 Tf 72 700 Td <${codes}> Tj ET`;
}

Deno.test("Chinese without its font in the PDF is drawn and marked", { ignore: NO_BROWSER }, async () => {
  const text = "咖啡机每月需要除垢一次，否则阀门会卡住。";
  const pdf = makePdf({ pages: [song("目录"), song(text)], fonts: { C1: SONG } });
  await using opened = await openPages({ "说明书.pdf": pdf }, { language: "zh" });
  const page = await openOriginal(opened, "阀门为什么卡住", "说明书.pdf");
  const mark = await currentMark(page);
  // 阀门 are the letters 15 and 16 of the line, each 12 points wide.
  equal(mark.page, 2);
  ok(Math.abs(mark.left - 100 * (72 + 14 * 12) / 600) < 0.5, `${mark.left}`);
  ok(await hasInk(page, mark));
});

/** Whether something dark is drawn behind a mark. */
async function hasInk(
  page: Page,
  { left, top }: { readonly left: number; readonly top: number },
): Promise<boolean> {
  // The policy of the pages forbids what Playwright waits with.
  while (!await page.evaluate(`performance.getEntriesByName("original-marked").length`)) {
    await page.waitForTimeout(50);
  }
  return await page.evaluate(`(() => {
    const canvas = document.querySelector(".page canvas");
    const [x, y] = [canvas.width * ${left / 100}, canvas.height * ${top / 100}];
    const { data } = canvas.getContext("2d").getImageData(x, y, canvas.width / 20, canvas.height / 60);
    return data.some((value, i) => i % 4 === 0 && value < 100);
  })()`);
}

Deno.test("HTML, notes and code are shown as the text that was indexed, with lines and marks", {
  ignore: NO_BROWSER,
}, async () => {
  const long = Array.from({ length: 5_000 }, (_, i) => `value_${i} = ${i};`);
  long[4_000] = "const kettle = boil(water);";
  await using opened = await openPages({
    "tea.html":
      `<h1>Tea</h1><img src=x onerror="alert(1)"><script>alert(2)</script><p>Steep the oolong briefly.</p>`,
    "code.js": long.join("\n"),
    "<img src=x onerror=alert(3)>.md": "# Cups\n\nA porcelain cup keeps warm.\n",
  });
  const page = await openOriginal(opened, "oolong", "tea.html");
  const shown = () => page.locator(".line.current .line-text").innerText();
  equal(await shown(), "Steep the oolong briefly.");
  equal((await page.locator(".line.current mark").allInnerTexts()).join(), "oolong");
  equal(await page.locator(".original img, .original script").count(), 0);
  await openOriginal(opened, "boil kettle", "code.js");
  await page.locator(".line.current").filter({ hasText: "boil(water)" }).waitFor();
  equal(await page.locator(".line.current .line-number").innerText(), "4001");
  ok(await page.locator(".line").count() < 100);
  await openOriginal(opened, "porcelain", "<img");
  await page.locator(".line.current").filter({ hasText: "A porcelain cup keeps warm." }).waitFor();
});

Deno.test("a citation is copied as the tools write it", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages({ "manual.pdf": MANUAL });
  await opened.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: opened.origin });
  const page = await openOriginal(opened, "descaled boiler", "manual.pdf");
  await page.getByRole("button", { name: "Copy citation" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied: string = await page.evaluate("navigator.clipboard.readText()");
  match(copied, /^\[1\] .*manual\.pdf:\d+-\d+ \(.*\) .* chunk_id=[\da-f]{16}$/);
});

Deno.test(
  "hostile PDFs run nothing, lead nowhere and leave the pages alive",
  { ignore: NO_BROWSER },
  async () => {
    const link =
      "<< /Type /Annot /Subtype /Link /Rect [0 0 600 800] /A << /S /URI /URI (https://example.org/) >> >>";
    const script = "<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [0 0 600 800] " +
      "/A << /S /JavaScript /JS (app.alert\\(1\\)) >> >>";
    const words = "The boiler must be descaled every month, or the safety valve will stick.";
    await using opened = await openPages({
      "links.pdf": makePdf({ pages: [{ content: lines(words), annotations: [link, script] }] }),
    }, { args: ["--no-watch"] });
    const page = await openOriginal(opened, "descaled boiler", "links.pdf");
    await currentMark(page);
    const pages = opened.context.pages().length;
    await page.locator(".page").click();
    equal(opened.context.pages().length, pages);
    equal(await page.locator(".original a, .original input:not([type=number]), .original iframe").count(), 0);

    // The file changes between the search and the look at it.
    const path = `${opened.sandbox.folder}/links.pdf`;
    const replaced = async (bytes: Uint8Array) => {
      await page.getByRole("button", { name: "Close" }).click();
      await page.reload();
      await page.getByRole("article").first().waitFor();
      await Deno.writeFile(path, bytes);
      await page.getByRole("article").first().getByRole("button").first().click();
    };
    const { dictionary, id, cipher } = rc4Encryption("secret");
    await replaced(makePdf({ pages: [lines(words)], encrypt: { dictionary, id, cipher } }));
    await page.getByText("This PDF has a password").waitFor();
    await replaced(new TextEncoder().encode("%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 9 0 R >>"));
    await page.getByText("This PDF is damaged").waitFor();
    await replaced(makePdf({ pages: [{ content: lines("Some other text."), width: 1e6, height: 1e6 }] }));
    await page.getByText("was not located").waitFor();
    await replaced(makePdf({ pages: Array.from({ length: 10_000 }, (_, i) => i === 0 ? lines(words) : "") }));
    await page.getByText("of 10,000").waitFor();
    equal((await currentMark(page)).page, 1);
  },
);
