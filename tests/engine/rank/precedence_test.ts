import { deepEqual, equal, ok } from "node:assert/strict";
import { bestOf, hitsIn, indexOf, question } from "./_collection.ts";

const CONTRACT =
  "租期一年，押一付三。提前退租要付违约金，数额为两个月租金，房东提前收房也一样，押金在七天内退还。";

/** English texts about a penalty, each more so than the contract is about 违约金. */
const PENALTIES = Object.fromEntries(
  Array.from(
    { length: 8 },
    (_, i) => [`${i}.sql`, `my_penalty(amount): penalty of invoice ${i}, late penalty`],
  ),
);

Deno.test("a passage with the question's own word comes before passages with its translation, and hits say why", async () => {
  const hits = await hitsIn({ ...PENALTIES, "contract.md": CONTRACT }, "违约金");
  equal(hits[0]!.filePath, "contract.md");
  const translation = hits.find(({ filePath }) => filePath === "0.sql")!.evidence!;
  deepEqual([hits[0]!.evidence!.verbatim, translation.verbatim], [1, 0]);
  ok(translation.translated! > 0.5 && translation.factor! < 1);
  for (const { score, legs } of hits) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - score) < 1e-12, "the shares of the legs still add up to the score");
  }
});

Deno.test("the own word comes first across several indexes", async () => {
  const code = await indexOf(PENALTIES);
  const notes = await indexOf({ "contract.md": CONTRACT, "cat.md": "猫每年五月打疫苗。" });
  for (const indexes of [[code, notes], [notes, code]]) {
    const [best] = await bestOf(question(indexes, "违约金"), { limit: 9 });
    equal(best!.filePath, "contract.md");
  }
});

Deno.test("many passages with a translation do not push the own word out of the candidates", async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, `penalty penalty ${i}`]));
  const index = await indexOf({ ...many, "contract.md": CONTRACT });
  const [best] = await bestOf(question([index], "违约金", { ftsTopn: 10, vecTopn: 10 }), { limit: 5 });
  equal(best!.filePath, "contract.md");
});

Deno.test("the question's words count as held where particles part them", async () => {
  const others = Array.from(
    { length: 6 },
    (_, i) => [`${i}.md`, `database backup ${i}, backup of the database`],
  );
  const [best] = await hitsIn({
    "库.md": "数据库的备份在凌晨三点开始，之后由值班的人检查日志。",
    ...Object.fromEntries(others),
  }, "数据库备份");
  equal(best!.filePath, "库.md");
  equal(best!.evidence!.verbatim, 1);
});

Deno.test("a passage with the question's words comes before passages with similar words alone", async () => {
  const [best] = await hitsIn({
    "long.md": `The physician was ill. ${"Nothing else happened on this long day in town. ".repeat(12)}`,
    "a.md": "doctor surgeon doctor surgeon clinic doctor",
    "b.md": "surgeon doctor hospital doctor patient doctor",
  }, "physician");
  equal(best!.filePath, "long.md");
});

Deno.test("a passage that holds only a small part of the question does not come before a translation of all of it", async () => {
  const [best] = await hitsIn({
    "cat.md": "The cat sat on the mat and looked at the rain.",
    "猫.md": "猫每年五月打疫苗，接种之后观察半小时。",
  }, "vaccination cat may half hour");
  equal(best!.filePath, "猫.md");
});

Deno.test("translations have less trust where passages in the question's language hold more of it", async () => {
  const english = "The old bridge over the river was closed for repairs after the flood.";
  const chinese = "洪水之后，河上的旧桥关闭维修。";
  const trusted = async (files: Record<string, string>) => {
    const hits = await hitsIn({ ...files, "桥.md": chinese }, "bridge closed after flood");
    return hits.find(({ filePath }) => filePath === "桥.md")!.evidence?.factor ?? 1;
  };
  ok(await trusted({ "bridge.md": english }) < await trusted({ "weather.md": "Sunny in the north." }));
});
