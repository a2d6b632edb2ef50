import { equal } from "node:assert/strict";
import type { Language } from "#foundation/messages/mod.ts";
import { SESSION_PAGES } from "../../scripts/transcript.ts";
import { recordSession } from "../../scripts/transcript/session.ts";

/** The page without numbers: times, sizes, dates and lines change with the machine and with every change of the guide. */
function withoutNumbers(page: string): string {
  return page.replace(/cursor=[\w.]+/g, "cursor=…").replace(/\d+(?:[.-]\d+)*/g, "N");
}

for (const [language, page] of Object.entries(SESSION_PAGES)) {
  Deno.test(`${page} is what an assistant and the server exchange; else run scripts/transcript.ts`, async () => {
    const shown = await Deno.readTextFile(new URL(`../../${page}`, import.meta.url));
    equal(withoutNumbers(shown), withoutNumbers(await recordSession(language as Language)));
  });
}
