import { deepEqual } from "node:assert/strict";
import { PAGE_NAMES } from "#wire/common.ts";
import { NOTES } from "../e2e/_program.ts";
import { appear, APPEARANCES, findingsIn } from "./_axe.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

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
      const { page } = opened;
      const findings = [];
      for (const [at, name] of PAGE_NAMES.entries()) {
        await page.getByRole("navigation").getByRole("link").nth(at).click();
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        for (const [language, theme] of APPEARANCES) {
          await appear(page, language, theme);
          for (const finding of await findingsIn(page)) {
            findings.push(`${name} ${language} ${theme}: ${finding}`);
          }
        }
      }
      deepEqual(findings, []);
    },
  );
}
