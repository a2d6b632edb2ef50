/** Accessibility of a page, as axe sees it. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** The serious and critical findings, each with its rule and its elements. */
export async function findingsIn(page: Page): Promise<string[]> {
  await page.evaluate((axe as unknown as { source: string }).source);
  const found: [string, string, string[]][] = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html, failureSummary }) =>
        html.slice(0, 200) + " " + failureSummary)]))`,
  );
  return found.filter(([, impact]) => impact === "serious" || impact === "critical")
    .map(([id, impact, nodes]) => `${impact} ${id}: ${nodes.slice(0, 3).join(" | ")}`);
}

/** Both languages with both themes. */
export const APPEARANCES: readonly (readonly ["zh" | "en", "light" | "dark"])[] = [
  ["zh", "light"],
  ["zh", "dark"],
  ["en", "light"],
  ["en", "dark"],
];

/** Shows the pages in a language and a theme. */
export async function appear(page: Page, language: "zh" | "en", theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator("header .settings select").first().selectOption(language);
}
