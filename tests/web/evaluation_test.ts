import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { appear, APPEARANCES, findingsIn } from "./_axe.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

const FILES = {
  "tea.md": "# Tea\n\nGreen tea is a drink that wants water of 80 degrees.\n",
  "coffee.md": "# Coffee\n\nCoffee is a drink that wants water of 93 degrees.\n",
};

const QUESTIONS = `{"question": "green tea", "files": ["tea.md"]}
{"question": "coffee <b>beans</b>", "files": ["tea.md"]}
`;

const WORDS = {
  en: {
    link: "Evaluation",
    file: "Choose a file of questions (JSONL)",
    questions: "Questions",
    mode: "Mode",
    run: "Run",
    figures: "Figures of each mode",
    worst: "Worst questions of hybrid",
    runs: "Runs of drinks.jsonl",
    changes: "Ranks of the questions, the largest losses first",
    before: "Before",
    why: "Why not?",
    propose: "Draft questions",
    accept: /^Accept: /,
    download: "Download the questions (JSONL)",
    lost: "1 → not found",
  },
  zh: {
    link: "评测",
    file: "选择问题文件（JSONL）",
    questions: "问题",
    mode: "模式",
    run: "开始评测",
    figures: "各模式的指标",
    worst: "hybrid 效果最差的问题",
    runs: "drinks.jsonl 的历次结果",
    changes: "各问题的名次，变差最多的在前",
    before: "之前",
    why: "为什么没有？",
    propose: "拟定问题",
    accept: /^采纳：/,
    download: "下载问题（JSONL）",
    lost: "1 → 未找到",
  },
} as const;

for (const language of ["en", "zh"] as const) {
  const words = WORDS[language];
  Deno.test(
    `questions are asked, two runs are compared, and questions are proposed (${language})`,
    { ignore: NO_BROWSER },
    async () => {
      await using opened = await openPages(FILES, { language });
      const { page, sandbox } = opened;
      const table = (name: string) => page.getByRole("table", { name, exact: true });
      const link = () => page.getByRole("navigation").getByRole("link", { name: words.link, exact: true });
      await link().click();
      await page.getByLabel(words.file, { exact: true }).setInputFiles({
        name: "drinks.jsonl",
        mimeType: "text/plain",
        buffer: Buffer.from(QUESTIONS),
      });
      const text = page.getByLabel(words.questions, { exact: true });
      const run = page.getByRole("button", { name: words.run, exact: true });
      await page.waitForFunction("document.querySelector('textarea').value !== ''");
      equal(await text.inputValue(), QUESTIONS);
      await run.click();
      await table(words.figures).waitFor();
      deepEqual(await table(words.figures).locator("tbody td:first-child").allTextContents(), [
        "keyword",
        "semantic",
        "hybrid",
      ]);
      const worst = table(words.worst).locator("tbody tr").first();
      ok((await worst.innerText()).includes("coffee <b>beans</b>"), "a question is shown as text");
      await page.locator(".plot canvas").waitFor();
      ok((await table(words.figures).innerText()).includes("nDCG@10"));

      // Without the file, its question finds nothing right.
      await Deno.remove(`${sandbox.folder}/tea.md`);
      await page.getByRole("navigation").getByRole("link").nth(4).click();
      await page.getByRole("button", { name: language === "en" ? "Update" : "更新", exact: true }).click();
      await page.locator(".sum").waitFor();
      await link().click();
      equal(await text.inputValue(), QUESTIONS, "the questions stay");
      await page.getByLabel(words.mode, { exact: true }).selectOption("keyword");
      await run.click();
      await table(words.figures).getByRole("row").nth(2).waitFor({ state: "detached" });
      const changes = table(words.changes);
      await changes.waitFor();
      const first = await changes.locator("tbody tr").first().innerText();
      ok(first.startsWith("green tea") && first.includes(words.lost), first);
      equal(await table(words.runs).locator("tbody tr").count(), 4);
      const findings = [];
      for (const [other, theme] of APPEARANCES) {
        await appear(page, other, theme);
        findings.push(...await findingsIn(page));
      }
      deepEqual(findings, []);
      await appear(page, language, "light");

      await changes.getByRole("link", { name: words.why }).first().click();
      await page.waitForURL((url) =>
        url.pathname === "/why-not" && url.searchParams.get("q") === "green tea"
      );
      await page.goBack();

      await changes.getByRole("link", { name: words.before, exact: true }).first().click();
      await page.getByRole("article").getByText("green tea").first().waitFor();
      equal(new URL(page.url()).pathname, "/query-traces");
      await page.goBack();

      const made = await Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name);
      await page.locator("summary").click();
      await page.getByRole("button", { name: words.propose, exact: true }).click();
      const draft = page.getByRole("article").first();
      await draft.getByRole("textbox").fill("How hot is coffee?");
      await draft.getByRole("textbox").press("Tab");
      await draft.getByRole("button", { name: words.accept }).click();
      const accepted = (await text.inputValue()).trim().split("\n").at(-1)!;
      equal(JSON.parse(accepted).question, "How hot is coffee?");
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: words.download, exact: true }).click();
      const file = await downloading;
      ok(file.url().startsWith("blob:"));
      equal(file.suggestedFilename(), "drinks.jsonl");
      equal(await Deno.readTextFile((await file.path())!), await text.inputValue());
      deepEqual(await Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name), made);
    },
  );
}

Deno.test("an evaluation that is cancelled is not kept", { ignore: NO_BROWSER }, async () => {
  await using opened = await openPages(FILES);
  const { page } = opened;
  await page.getByRole("navigation").getByRole("link", { name: "Evaluation", exact: true }).click();
  const many = Array.from(
    { length: 20_000 },
    (_, at) => JSON.stringify({ question: `green tea ${at}`, files: ["tea.md"] }),
  );
  await page.getByLabel("Choose a file of questions (JSONL)", { exact: true }).setInputFiles({
    name: "many.jsonl",
    mimeType: "text/plain",
    buffer: Buffer.from(many.join("\n")),
  });
  await page.waitForFunction("document.querySelector('textarea').value !== ''");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("progressbar", { name: "keyword" }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByText("Cancelled; nothing was kept").waitFor();
  await page.reload();
  await page.getByText("No run is kept yet").waitFor();
});
