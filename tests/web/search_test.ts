import { deepEqual, equal } from "node:assert/strict";
import { NOTES } from "../e2e/_program.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

Deno.test("a question is answered by hits with marks, and stands in the address", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(NOTES);
  const { page } = opened;
  await page.getByRole("searchbox", { name: "Question" }).fill("archive");
  await page.keyboard.press("Enter");
  const hit = page.getByRole("article").first();
  await hit.waitFor();
  deepEqual(
    [
      await hit.getByRole("heading").innerText(),
      await hit.locator(".section").innerText(),
      await hit.locator(".text mark").allInnerTexts(),
      new URL(page.url()).pathname + new URL(page.url()).search,
    ],
    ["1guide.md", "Guide", ["archive"], "/search?q=archive"],
  );
  await page.reload();
  equal(await page.getByRole("searchbox").inputValue(), "archive");
  await hit.waitFor();
});

Deno.test("the pages speak the language of the browser, and another one at will", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(NOTES, { language: "zh" });
  const { page } = opened;
  const heading = page.getByRole("heading", { level: 1 });
  await page.getByRole("searchbox", { name: "问题" }).waitFor();
  equal(await heading.innerText(), "搜索");
  await page.getByLabel("语言", { exact: true }).first().selectOption("en");
  equal(await heading.innerText(), "Search");
  equal(await page.getByRole("navigation").getByRole("link").count(), 8);
});

Deno.test("keys lead to the search box, through the hits and to their list", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(NOTES);
  const { page } = opened;
  await page.getByRole("searchbox").fill("tomatoes archive");
  await page.keyboard.press("Enter");
  await page.getByRole("article").nth(1).waitFor();
  await page.keyboard.press("Escape");
  const focused = () => page.locator(":focus").getAttribute("aria-label");
  await page.keyboard.press("j");
  const first = await focused();
  await page.keyboard.press("j");
  const second = await focused();
  await page.keyboard.press("k");
  deepEqual([await focused(), first?.slice(0, 2), second?.slice(0, 2)], [first, "1.", "2."]);
  await page.keyboard.press("/");
  equal(await focused(), "Question");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
