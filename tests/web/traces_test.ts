import { deepEqual, equal, ok } from "node:assert/strict";
import { NOTES } from "../e2e/_program.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

for (
  const { language, pages, names } of [
    {
      language: "en",
      pages: ["Query traces", "Ingestion traces"],
      names: { open: /Open the trace/, stage: /Search by words/, replay: "Ask", compared: /Compared/ },
    },
    {
      language: "zh",
      pages: ["查询追踪", "导入追踪"],
      names: { open: /打开/, stage: /按词检索/, replay: "提问", compared: /比较/ },
    },
  ] as const
) {
  Deno.test(`a trace shows its stages, and its question is asked again (${language})`, {
    ignore: NO_BROWSER,
  }, async () => {
    await using opened = await openPages(NOTES, { language });
    const { page } = opened;
    await page.getByRole("searchbox").fill("archive tomatoes");
    await page.keyboard.press("Enter");
    await page.getByRole("article").first().waitFor();
    await page.getByRole("navigation").getByRole("link").nth(6).click();
    await page.getByRole("button", { name: names.open }).first().click();
    await page.getByRole("heading", { name: "archive tomatoes" }).waitFor();
    const stage = page.getByRole("button", { name: names.stage }).first();
    await stage.click();
    equal(await stage.getAttribute("aria-pressed"), "true");
    ok((await page.locator(".stage-facts").innerText()).includes("bm25"));
    ok(new URL(page.url()).searchParams.get("stage") !== null, "the stage stands in the address");
    await page.getByLabel("top_k").fill("1");
    await page.getByRole("button", { name: names.replay, exact: true }).click();
    await page.getByRole("region", { name: names.compared }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("navigation").getByRole("link").nth(5).click();
    deepEqual(await page.getByRole("heading", { level: 1 }).innerText(), pages[1]);
    await page.getByRole("button", { name: names.open }).first().waitFor();
  });
}
