import { deepEqual, equal, match } from "node:assert/strict";
import type { Page } from "playwright-core";
import { appear, APPEARANCES, findingsIn } from "./_axe.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

const FILES = {
  "service.md": "# Service\n\nThe cooling pump is serviced every six months by the plant team.\n",
  "garden.md": "# Garden\n\nTomatoes like compost.\n",
  "水泵.md": "# 水泵\n\n冷却水泵每六个月由维护小组保养一次。\n",
  ".gitignore": "notes/\n",
  "notes/pump.md": "The cooling pump of the notes.\n",
  "long.md": [1, 2, 3, 4].map((i) =>
    `## Part ${i}\n\n${"cooling pump ".repeat(40 - 5 * i)}${"and walls ".repeat(60)}\n`
  )
    .join("\n"),
};

/** The gates that are shown: their mark and name, and the text of the one that stopped the file. */
async function gatesOf(page: Page): Promise<string[]> {
  const stopped = page.locator(".gates [aria-current=step]");
  await page.locator(".gates li").first().waitFor();
  const marks = await page.locator(".gates li").evaluateAll((items) =>
    items.map((item) => `${item.children[0]!.textContent} ${item.children[1]!.textContent}`)
  );
  return [...marks, ...await stopped.locator(".said").allInnerTexts()];
}

Deno.test("a file is taken through the gates, in both languages; a link leads there from the search", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(FILES);
  const { page } = opened;
  await page.getByRole("searchbox").fill("cooling pump");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Why is a file not here?" }).click();
  equal(await page.getByRole("heading", { level: 1 }).innerText(), "Why not?");
  equal(await page.getByRole("searchbox").inputValue(), "cooling pump");
  await page.getByLabel("File", { exact: true }).fill("notes/pump.md");
  await page.keyboard.press("Enter");
  deepEqual(await gatesOf(page), [
    ...["✗ found", "· read", "· indexed", "· sentence", "· words", "· conditions", "· candidates", "· score"],
    ...["· reranker", "· limit for a file", "· duplicates", "· match degree", "· length"],
    "An ignore file leaves it out: notes/ in line 1 of .gitignore",
  ]);
  await page.getByText("Remove or change the rule, or add !notes after it").waitFor();
  await page.getByLabel("Language", { exact: true }).first().selectOption("zh");
  await page.getByText("被忽略规则排除：.gitignore 第 1 行的 notes/").waitFor();
  await page.getByLabel("文件", { exact: true }).fill("garden.md");
  await page.keyboard.press("Enter");
  await page.getByText("没有问题中的词，也没有相近的词").waitFor();
  const words = page.getByRole("table", { name: "问题中的词" });
  deepEqual(await words.getByRole("row").allInnerTexts(), [
    "词\t文中\t含有它的片段",
    "cooling\t无\t5",
    "pump\t无\t5",
  ]);
  await page.getByLabel("或文件中的一句话", { exact: true }).fill("西红柿喜欢堆肥");
  await page.keyboard.press("Enter");
  await page.getByText("读出的文字里没有这句话").waitFor();
});

Deno.test("a setting is tried for one search, and nothing is saved", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages(FILES);
  const { page, origin } = opened;
  await page.getByRole("searchbox").waitFor();
  await page.goto(`${origin}/why-not?q=cooling+pump&mode=keyword&lang=en&file=long.md:13`);
  const gates = await gatesOf(page);
  match(
    gates.join("; "),
    /✗ limit for a file; .*3 better passages of its file came before it, and 3 may be shown/,
  );
  await page.getByText("search.per_doc_limit is 3 now, and 4 is needed").waitFor();
  await page.getByRole("button", { name: "Try with 4" }).click();
  await page.getByText("This search used search.per_doc_limit = 4. Nothing was saved.").waitFor();
  await page.getByText(/It is in the answer: hit \d/).waitFor();
  match(page.url(), /&per=4$/);
  await page.getByRole("button", { name: "Use the settings as they are" }).click();
  await page.getByText("search.per_doc_limit is 3 now").waitFor();
  await page.goBack();
  await page.getByText(/It is in the answer: hit \d/).waitFor();
});

Deno.test("axe finds nothing serious where a gate stops a file, in both languages and themes", {
  ignore: NO_BROWSER,
}, async () => {
  await using opened = await openPages(FILES);
  const { page, origin } = opened;
  await page.getByRole("searchbox").waitFor();
  const findings: string[] = [];
  for (const file of ["long.md:13", "garden.md"]) {
    await page.goto(
      `${origin}/why-not?${new URLSearchParams({ q: "cooling pump", lang: "en", per: "2", file })}`,
    );
    for (const [language, theme] of APPEARANCES) {
      await appear(page, language, theme);
      await page.locator(".gates [aria-current=step]").waitFor();
      for (const finding of await findingsIn(page)) findings.push(`${file} ${language} ${theme}: ${finding}`);
    }
  }
  deepEqual(findings, []);
});
