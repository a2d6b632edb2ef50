import { deepEqual, equal, ok } from "node:assert/strict";
import { NOTES } from "../e2e/_program.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

Deno.test("the header has one row in a usual window, and a narrow one hides no column and no page", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(NOTES);
  const { page, origin } = opened;
  await page.goto(`${origin}/documents`);
  const path = page.getByRole("button", { name: "guide.md" });
  // 1280 pixels less a scroll bar.
  await page.setViewportSize({ width: 1265, height: 800 });
  await path.waitFor();
  const tops = await page.locator("header nav a, header select").evaluateAll((all) =>
    (all as unknown as { getBoundingClientRect(): { top: number } }[])
      .map((one) => one.getBoundingClientRect().top)
  );
  ok(Math.max(...tops) - Math.min(...tops) < 10, String(tops));
  const list = await page.getByRole("list", { name: "Documents" }).boundingBox();
  const last = await page.getByRole("list", { name: "Documents" }).getByRole("listitem").last().boundingBox();
  ok(Math.abs(list!.y + list!.height - last!.y - last!.height) < 10, "a short list ends with its last row");
  await page.setViewportSize({ width: 420, height: 800 });
  const cell = await page.locator(".long .row:not(.head) > span").first().boundingBox();
  ok(cell!.width > 80, String(cell!.width));
  deepEqual(await page.evaluate("[document.documentElement.scrollWidth, innerWidth]"), [420, 420]);
  await page.getByRole("navigation").getByRole("link", { name: "Evaluation" }).click();
  await page.getByRole("heading", { level: 1, name: "Evaluation" }).waitFor();
});

Deno.test("an address that was used is refused, with one sentence about how to go on", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(NOTES);
  const page = await opened.newPage({ language: "en" });
  await page.goto(`${opened.origin}/#code=AAAAAAAAAAAAAAAAAAAAAA`);
  await page.getByRole("heading", { level: 1, name: "Not signed in" }).waitFor();
  const text = await page.locator("main").innerText();
  equal(text.split("Press Enter").length, 2, text);
});

Deno.test(
  "a folder without an index says so, and is indexed from its page",
  { ignore: NO_BROWSER },
  async () => {
    await using opened = await openPages(NOTES, { isNew: true });
    const { page } = opened;
    await page.getByText("This folder has no index yet").waitFor();
    await page.getByRole("button", { name: "Index the folder" }).click();
    await page.getByRole("button", { name: "Update" }).waitFor();
    equal(await page.getByText("This folder has no index yet").count(), 0);
  },
);
