import { deepEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import { PAGE_NAMES } from "#wire/common.ts";
import { NOTES } from "../e2e/_program.ts";
import { appear, APPEARANCES, findingsIn } from "./_axe.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

/** The folder that pictures of the pages are written to, as `examples/pictures` for the guide. Without it none are made. */
const PICTURES = Deno.env.get("PICTURES");

/** Milliseconds in which a page shows what it has fetched. */
const SHOWN_MS = 700;

/** Checks what is shown in both languages and themes, and draws it in the light one. */
async function check(page: Page, name: string, isDrawn: boolean): Promise<string[]> {
  const findings = [];
  for (const [language, theme] of APPEARANCES) {
    await appear(page, language, theme);
    await page.waitForTimeout(SHOWN_MS);
    for (const finding of await findingsIn(page)) findings.push(`${name} ${language} ${theme}: ${finding}`);
    if (PICTURES !== undefined && isDrawn && theme === "light") {
      await page.screenshot({ path: `${PICTURES}/pages-${name}.${language}.png` });
    }
  }
  return findings;
}

for (const isNew of [false, true]) {
  Deno.test(
    `axe finds nothing serious on any page, in both languages and themes, ${
      isNew ? "without" : "with"
    } an index`,
    {
      ignore: NO_BROWSER,
    },
    async () => {
      await using opened = await openPages(NOTES, { isNew });
      const { page, origin } = opened;
      const findings = [];
      await page.goto(`${origin}/search?q=${encodeURIComponent("How is the archive unpacked?")}`);
      findings.push(...await check(page, "search", !isNew));
      for (const [at, name] of PAGE_NAMES.entries()) {
        if (name === "search") continue;
        await page.getByRole("navigation").getByRole("link").nth(at).click();
        findings.push(...await check(page, name, !isNew));
      }
      deepEqual(findings, []);
    },
  );
}
