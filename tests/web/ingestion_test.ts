import { deepEqual, equal, ok } from "node:assert/strict";
import { NO_BROWSER, openPages } from "./_browser.ts";

const FILES = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n", "broken.pdf": "not a PDF" };

const WORDS = {
  en: {
    link: "Ingestion",
    update: "Update",
    search: "Search",
    question: "Question",
    failed: "How each file ended",
    end: "End",
    out: "Take out of the index",
    back: "Give back coffee.md",
    documents: "Documents",
    facts: "Facts",
    skipped: "skipped",
  },
  zh: {
    link: "导入",
    update: "更新",
    search: "搜索",
    question: "问题",
    failed: "各文件的处理结果",
    end: "处理结果",
    out: "从索引中移除",
    back: "放回 coffee.md",
    documents: "文档",
    facts: "信息",
    skipped: "已跳过",
  },
} as const;

for (const language of ["en", "zh"] as const) {
  const words = WORDS[language];
  Deno.test(
    `a new file is indexed, found, taken out and given back (${language})`,
    { ignore: NO_BROWSER },
    async () => {
      await using opened = await openPages(FILES, { language });
      const { page, sandbox } = opened;
      const link = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
      await link(words.link).click();
      const update = page.getByRole("button", { name: words.update, exact: true });
      await update.waitFor();
      await Deno.writeTextFile(`${sandbox.folder}/coffee.md`, "Coffee wants 93 degrees.\n");
      // All at once, so that no update in the background comes before.
      await page.getByRole("button", {
        name: language === "en" ? "Process everything again" : "全部重新处理",
      }).click();
      await page.getByRole("dialog").getByRole("button").first().click();
      const result = page.locator(".sum");
      await result.waitFor();
      const sum = await result.innerText();
      ok(/ 3 = 2 .* \+ 0 .* \+ 0 .* \+ 1 /.test(sum), sum);
      // A second run, watched from another tab, finds nothing new.
      const tab = await opened.newPage();
      await tab.goto(`${opened.origin}/ingestion`);
      await tab.locator(".sum").waitFor();
      equal(await tab.locator(".sum").innerText(), sum, "the other tab shows the same run");
      await page.getByLabel(words.end, { exact: true }).selectOption("failed");
      const row = page.getByRole("list", { name: words.failed }).getByRole("listitem");
      await row.nth(1).waitFor({ state: "detached" });
      ok((await row.innerText()).includes("broken.pdf"));
      ok(page.url().includes("end=failed"));
      await page.reload();
      await page.locator(".sum").waitFor();
      await row.first().waitFor();
      equal(await row.count(), 1, "the state stands in the address");

      await link(words.search).click();
      await page.getByRole("searchbox", { name: words.question }).fill("coffee");
      await page.keyboard.press("Enter");
      await page.getByRole("article").first().waitFor();

      await link(words.documents).click();
      await page.getByRole("button", { name: "coffee.md" }).click();
      await page.getByRole("button", { name: words.out }).click();
      await page.getByRole("dialog").getByRole("button", { name: words.out }).click();
      await page.locator(".notice").first().waitFor();
      const facts = await page.getByLabel(words.facts, { exact: true }).innerText();
      ok(facts.includes(words.skipped), facts);
      equal(await Deno.readTextFile(`${sandbox.folder}/coffee.md`), "Coffee wants 93 degrees.\n");

      await link(words.link).click();
      await page.locator("summary").last().click();
      await page.getByRole("button", { name: words.back }).click();
      await page.getByRole("button", { name: words.back }).waitFor({ state: "detached" });
      await link(words.documents).click();
      await page.getByRole("button", { name: "coffee.md" }).waitFor();
    },
  );
}

Deno.test(
  "progress is shown while an update runs, and it can be cancelled",
  { ignore: NO_BROWSER },
  async () => {
    // 60 MB of 100,000 words: seconds of work, in which the page is loaded again.
    const text = (i: number) =>
      Array.from({ length: 10_000 }, (_, k) => `note ${(i * 10_000 + k) * 7919 % 99_991}.`).join(" ");
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.md`, text(i)]));
    await using opened = await openPages(many);
    const { page } = opened;
    await page.getByRole("link", { name: "Ingestion", exact: true }).click();
    await page.getByRole("button", { name: "Process everything again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Process everything again" }).click();
    await page.getByRole("progressbar").first().waitFor();
    await page.reload();
    const bar = page.getByRole("progressbar", { name: "Reading files" });
    await bar.waitFor();
    const shown = await page.locator(".progress").first().innerText();
    ok(/\d+ \/ 500/.test(shown), shown);
    equal(await page.getByRole("button", { name: "Update", exact: true }).isDisabled(), true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled; the index stays as it was").waitFor();
  },
);

/** Names and contents that would do something if they were not shown as text. */
const LONG = "long-".repeat(45);
const HOSTILE: Readonly<Record<string, string>> = {
  "<img src=x onerror=alert(1)>.md":
    "# <script>alert(1)</script>\n\n<iframe src=javascript:alert(1)></iframe> hostile\n",
  "\u202egnp.exe.md": "Right to left \u202etext hostile.\n",
  "quotes \"'`&amp;.md": "{{constructor}} ${alert(1)} hostile\n",
  "javascript:alert(1).md": "[x](javascript:alert(1)) hostile\n",
  [`${LONG}.md`]: "Long hostile.\n",
  ...(Deno.build.os !== "windows" && { "line\nbreak.md": "Line hostile.\n" }),
};

Deno.test("hostile names and documents are shown as text on every page", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages(HOSTILE);
  const { page } = opened;
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
  await page.getByRole("link", { name: "Documents", exact: true }).click();
  const rows = page.getByRole("list", { name: "Documents" }).getByRole("button");
  await rows.first().waitFor();
  // `innerText` keeps line breaks of a name as they are shown.
  const names = (await rows.allTextContents()).toSorted();
  deepEqual(names, Object.keys(HOSTILE).toSorted());
  for (let i = 0; i < names.length; i++) {
    await rows.nth(i).click();
    const heading = page.getByRole("heading", { level: 2 });
    await heading.waitFor();
    await page.locator(".chunk .whole").first().waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
  }
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("table").first().waitFor();
  await page.getByRole("link", { name: "Ingestion", exact: true }).click();
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await page.locator(".sum").waitFor();
  await page.getByRole("list", { name: "How each file ended" }).getByText("<img src=x").waitFor();
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await page.getByRole("searchbox").fill("hostile");
  await page.keyboard.press("Enter");
  await page.getByRole("article").first().waitFor();
  equal(await page.locator("main script, main iframe, main img[src=x]").count(), 0);
  deepEqual(dialogs, []);
});
