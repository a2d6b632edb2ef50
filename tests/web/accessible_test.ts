import { deepEqual } from "node:assert/strict";
import { NOTES } from "../e2e/_program.ts";
import { appear, APPEARANCES, findingsIn } from "./_axe.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

Deno.test(
  "axe finds nothing serious in any component and in the hits of a search, in both languages and themes",
  {
    ignore: NO_BROWSER,
  },
  async () => {
    await using opened = await openPages(NOTES);
    const { page, origin } = opened;
    const findings = [];
    for (const path of ["/patterns", "/search?q=archive&type=md"]) {
      await page.goto(`${origin}${path}`);
      await page.getByRole("article").first().waitFor();
      for (const [language, theme] of APPEARANCES) {
        await appear(page, language, theme);
        for (const finding of await findingsIn(page)) {
          findings.push(`${path} ${language} ${theme}: ${finding}`);
        }
      }
    }
    deepEqual(findings, []);
  },
);
