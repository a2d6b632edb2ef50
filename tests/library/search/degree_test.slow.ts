import { deepEqual, equal } from "node:assert/strict";
import { type SearchMode } from "#library/search/mod.ts";
import { Place } from "../ingest/_place.ts";

/** Returns the hits of a question in a folder with these files: the name of each and its degree. */
async function degrees(
  query: string,
  files: Readonly<Record<string, string>>,
  mode: SearchMode,
): Promise<string[]> {
  using place = await Place.indexed(files);
  const library = await place.library();
  const { hits } = await library.search({ query, mode });
  return hits.map(({ filePath, degree }) => `${filePath.slice(place.root.length + 1)} ${degree}`);
}

const NOTES = {
  "发布.md": "在服务器上先备份旧版本，再部署新版本。",
  "花园.md": "番茄五月种，每两天浇一次水。",
  "旅行.md": "去京都的夜车九点开，要提前两个月订票。",
};

Deno.test("character pairs that cross two words of the question are no missing evidence", async () => {
  for (const mode of ["keyword", "hybrid"] as const) {
    const [first] = await degrees("怎么部署到服务器", NOTES, mode);
    equal(first, "发布.md high", mode);
  }
});

Deno.test("a right answer in the other language is not low", async () => {
  const files = {
    ...NOTES,
    "备份.md": "# 备份策略\n\n数据库每天凌晨三点备份到对象存储，保留三十天。每月演练一次恢复。",
    "roses.md": "Roses are pruned in March, before the first leaves.",
    "router.md": "The router stands in the hall. Restart it once a month.",
  };
  for (
    const [question, answer] of [
      ["how long are backups kept", "备份.md"],
      ["how to deploy a new version to the server", "发布.md"],
      ["玫瑰什么时候修剪", "roses.md"],
    ] as const
  ) {
    const [first] = await degrees(question, files, "hybrid");
    deepEqual([first?.startsWith(answer), first?.endsWith("low")], [true, false], `${question}: ${first}`);
  }
});

Deno.test("no hit has a higher degree than a hit above it", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [
    `${i}.md`,
    `${"The harbour lies in the north. ".repeat(i % 7)}Ferries ${
      i % 3 === 0 ? "leave for the island" : "rest"
    } ${i % 5 === 0 ? "every morning in winter" : "at night"}. ${i % 4 === 0 ? "岛上的渡轮冬天停开。" : ""}`,
  ]));
  for (const mode of ["keyword", "hybrid", "semantic"] as const) {
    for (const question of ["when do ferries leave for the island in winter", "渡轮冬天开吗", "island"]) {
      const found = (await degrees(question, files, mode)).map((hit) => hit.split(" ")[1]!);
      const order = ["high", "medium", "low"];
      deepEqual(found, found.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)), `${question}, ${mode}`);
    }
  }
});
