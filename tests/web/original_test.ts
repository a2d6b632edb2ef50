import { equal, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
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

/** Searches, and opens the original of the first hit. */
async function openOriginal({ page }: OpenedPages, query: string): Promise<Page> {
  await page.getByRole("searchbox").fill(query);
  await page.keyboard.press("Enter");
  await page.getByRole("article").first().getByRole("button").first().click();
  await page.getByRole("region", { name: /^(?:Original|原文)/ }).waitFor();
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
  const page = await openOriginal(opened, "how often is the boiler descaled");
  const first = await currentMark(page);
  equal(first.page, 2);
  // "boiler" begins after "The " at 72 of 600 points, and its line lies 100 of 800 points below the top.
  ok(Math.abs(first.left - 100 * (72 + 22) / 600) < 1, `${first.left}`);
  ok(Math.abs(first.top - 100 * (100 - 0.8 * 12) / 800) < 1, `${first.top}`);
  const steps = page.getByRole("region").getByRole("status").filter({ hasText: /Mark/ });
  equal(await steps.innerText(), "Mark 1 of 2");
  await page.keyboard.press("n");
  await page.getByText("Mark 2 of 2").waitFor();
  ok((await currentMark(page)).left !== first.left);
  await page.keyboard.press("n");
  await page.getByText("Mark 1 of 2").waitFor();
  equal(await page.getByRole("spinbutton", { name: "Page" }).inputValue(), "2");
  await page.keyboard.press("]");
  equal(await page.getByRole("spinbutton", { name: "Page" }).inputValue(), "3");
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: /^Original/ }).waitFor({ state: "detached" });
});
