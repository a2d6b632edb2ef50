import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { RerankServer } from "../models/rerank/_rerank_server.ts";
import { NO_BROWSER, openPages } from "./_browser.ts";

/** Six notes with a word ever less often. */
const fading = (name: string, word: string, space: string) =>
  Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((i) => [`${name}${i}.md`, `${`${word}${space}`.repeat(8 - i)}${i}`]),
  );

const COFFEE =
  "To descale the coffee machine, fill the tank with citric acid and water, and let it run twice until the light goes out.";
const COFFEE_ZH = "咖啡机除垢时，先在水箱中加入柠檬酸和水，再让机器运行两遍，直到指示灯熄灭为止。";

/** Documents of which each question misses one. */
const FILES = {
  ".gitignore": "drafts/\n",
  "drafts/pump.md": "The cooling pump.",
  "长文.md": "水泵".repeat(20_000),
  "damaged.docx": Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0),
  "照片.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
  "changed.md": "An earlier text.",
  "service.md": "The cooling pump is serviced every six months by the plant team.",
  "水泵.md": "冷却水泵每六个月由维护小组保养一次。",
  "garden.md": "Tomatoes like compost.",
  "年假.md": "员工入职满一年后享有年假。",
  ...fading("lantern", "lantern", " "),
  ...fading("灯笼", "灯笼", "，"),
  "violin.md": "violin violin violin, sealed",
  "violins.md": `violin ${"in a box on a shelf ".repeat(8)}`,
  "小提琴.md": "小提琴，小提琴，小提琴，已封存",
  "琴盒.md": `小提琴${"放在架上的盒子里，".repeat(10)}`,
  "engine.md": [5, 4, 3, 2].map((i) => `## ${i}\n\n${"engine ".repeat(8 * i)}${"and walls ".repeat(90)}`)
    .join("\n\n"),
  "发动机.md": [5, 4, 3, 2].map((i) => `## ${i}\n\n${"发动机，".repeat(8 * i)}${"墙壁和门窗，".repeat(150)}`)
    .join("\n\n"),
  "a.txt": COFFEE,
  "b.md": `**${COFFEE}**\n`,
  "旧.md": `---\nmodified: 2001-01-01\n---\n${COFFEE_ZH}\n`,
  "新.md": `---\nmodified: 2024-01-01\n---\n${COFFEE_ZH}\n`,
  "canal.md": `A canal. ${"It has walls and doors. ".repeat(12)}`,
  "运河.md": `有运河。${"大厅有墙有门。".repeat(20)}`,
  "castle.md": `The castle, castle. ${"Walls of stone stand there. ".repeat(12)}`,
  "keep.md": `A castle. ${"Gardens with trees are green. ".repeat(12)}`,
  "城堡.md": `城堡，城堡。${"石墙立在那里。".repeat(40)}`,
  "塔楼.md": `一座城堡。${"花园里绿树成荫。".repeat(40)}`,
};

/** The gates, by their names in both languages, and two questions for each as the page's address has them. */
const PLANTED: readonly (readonly [zh: string, en: string, ...questions: Record<string, string>[]])[] = [
  ["找到", "found", { q: "cooling pump", file: "drafts/pump.md" }, { q: "水泵", file: "长文.md" }],
  ["读取", "read", { q: "pump", file: "damaged.docx" }, { q: "照片", file: "照片.png" }],
  ["索引", "indexed", { q: "cooling pump", file: "new.md" }, { q: "改动", file: "changed.md" }],
  ["句子", "sentence", { q: "pump", file: "service.md", text: "serviced every two years" }, {
    q: "水泵",
    text: "冷却水泵每三年由外单位检修",
  }],
  ["词语", "words", { q: "cooling pump", file: "garden.md" }, {
    q: "水泵",
    file: "年假.md",
    mode: "keyword",
  }],
  ["条件", "conditions", { q: "cooling pump", file: "service.md", type: "pdf" }, {
    q: "水泵 AND 保养 AND 阀门",
    file: "水泵.md",
  }],
  [
    "候选",
    "candidates",
    { q: "lantern", file: "lantern6.md", top: "1", fts: "1", vec: "1", mode: "keyword" },
    {
      q: "灯笼",
      file: "灯笼6.md",
      top: "1",
      fts: "1",
      vec: "1",
      lang: "zh",
      mode: "keyword",
    },
  ],
  ["得分", "score", { q: "lantern", file: "lantern6.md", top: "2", lang: "en" }, {
    q: "灯笼",
    file: "灯笼6.md",
    top: "2",
    lang: "zh",
  }],
  ["重排", "reranker", { q: "violin", file: "violin.md", top: "1", lang: "en" }, {
    q: "小提琴",
    file: "小提琴.md",
    top: "1",
    lang: "zh",
  }],
  ["每文件上限", "limit for a file", { q: "engine", file: "engine.md:13" }, {
    q: "发动机",
    file: "发动机.md:13",
  }],
  ["重复", "duplicates", { q: "descale coffee machine", file: "b.md" }, { q: "咖啡机除垢", file: "旧.md" }],
  ["匹配度", "match degree", { q: "canal bridge harbour", file: "canal.md", degree: "high" }, {
    q: "运河大桥港口码头",
    file: "运河.md",
    degree: "high",
  }],
  ["篇幅", "length", { q: "castle", file: "keep.md", lang: "en" }, {
    q: "城堡",
    file: "塔楼.md",
    lang: "zh",
  }],
];

Deno.test("26 planted failures, two a gate: the page names the right gate in both languages", {
  ignore: NO_BROWSER,
}, async () => {
  await using server = await RerankServer.start("jina");
  server.relevance = (passage) => /sealed|封存/.test(passage) ? 0.1 : 0.9;
  const { provider, base_url: url, model } = server.config();
  await using opened = await openPages(FILES, {
    args: ["--no-watch"],
    env: {
      MUXUE_RAG_FILES_MAX_FILE_MB: "0.1",
      MUXUE_RAG_SEARCH_MAX_CHARS: "200",
      MUXUE_RAG_RERANK_PROVIDER: provider,
      MUXUE_RAG_RERANK_BASE_URL: url ?? "",
      MUXUE_RAG_RERANK_MODEL: model ?? "",
    },
  });
  const { page, origin, sandbox: { folder } } = opened;
  await page.getByRole("searchbox").waitFor();
  await Deno.writeTextFile(join(folder, "new.md"), "A new cooling pump.");
  await Deno.writeTextFile(join(folder, "changed.md"), "后来的改动。");
  const named: string[][] = [], wanted: string[][] = [];
  for (const language of ["en", "zh"] as const) {
    await page.getByLabel("Language", { exact: true }).first().selectOption(
      language,
    );
    for (const [zh, en, ...questions] of PLANTED) {
      equal(questions.length, 2);
      for (const question of questions) {
        await page.goto(`${origin}/why-not?${new URLSearchParams(question)}`);
        const stopped = page.locator(".gates [aria-current=step] .name");
        await page.locator(".gates li").first().waitFor();
        named.push([question["file"] ?? "", await stopped.innerText({ timeout: 2000 }).catch(() => "shown")]);
        wanted.push([question["file"] ?? "", language === "zh" ? zh : en]);
      }
    }
  }
  deepEqual(named, wanted);
  equal(named.length, 52);
});
