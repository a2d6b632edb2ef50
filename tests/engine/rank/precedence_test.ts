import { deepEqual, equal, ok } from "node:assert/strict";
import { bestOf, indexOf, namesOf, question } from "./_collection.ts";

const CONTRACT =
  "租期一年，押一付三。提前退租要付违约金，数额为两个月租金，房东提前收房也一样，押金在七天内退还。";

/** English texts about a penalty, each more so than the contract is about 违约金. */
const PENALTIES = Object.fromEntries(
  Array.from(
    { length: 8 },
    (_, i) => [`${i}.sql`, `my_penalty(amount): penalty of invoice ${i}, late penalty`],
  ),
);

Deno.test("a passage with the question's own word comes before passages with its translation", async () => {
  using index = await indexOf({ ...PENALTIES, "contract.md": CONTRACT });
  const hits = await bestOf(question([index], "违约金"), { limit: 9 });
  equal(hits[0]!.filePath, "contract.md");
  ok(hits.length > 1, "the translations follow");
});

Deno.test("the own word comes first across several indexes", async () => {
  using code = await indexOf(PENALTIES);
  using notes = await indexOf({ "contract.md": CONTRACT, "cat.md": "猫每年五月打疫苗。" });
  for (const indexes of [[code, notes], [notes, code]]) {
    const [best] = await bestOf(question(indexes, "违约金"), { limit: 9 });
    equal(best!.filePath, "contract.md");
  }
});

Deno.test("many passages with a translation do not push the own word out of the candidates", async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, `penalty penalty ${i}`]));
  using index = await indexOf({ ...many, "contract.md": CONTRACT });
  const hits = await bestOf(question([index], "违约金", { ftsTopn: 10, vecTopn: 10 }), { limit: 5 });
  equal(hits[0]!.filePath, "contract.md");
});

Deno.test("the question's words count as held where particles part them", async () => {
  using index = await indexOf({
    "库.md": "数据库的备份在凌晨三点开始，之后由值班的人检查日志。",
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`${i}.md`, `database backup ${i}, backup of the database`]),
    ),
  });
  const [best] = await bestOf(question([index], "数据库备份"), { limit: 7 });
  equal(best!.filePath, "库.md");
  equal(best!.evidence!.verbatim, 1);
});

Deno.test("a passage with the question's words comes before passages with similar words alone", async () => {
  using index = await indexOf({
    "long.md": `The physician was ill. ${"Nothing else happened on this long day in town. ".repeat(12)}`,
    "a.md": "doctor surgeon doctor surgeon clinic doctor",
    "b.md": "surgeon doctor hospital doctor patient doctor",
  });
  deepEqual(namesOf(await bestOf(question([index], "physician"), { limit: 3 }))[0], "long.md");
});

Deno.test("a passage that holds only a small part of the question does not come before a translation of all of it", async () => {
  using index = await indexOf({
    "cat.md": "The cat sat on the mat and looked at the rain.",
    "猫.md": "猫每年五月打疫苗，接种之后观察半小时。",
  });
  const [best] = await bestOf(question([index], "vaccination cat may half hour"), { limit: 2 });
  equal(best!.filePath, "猫.md");
});

Deno.test("translations have less trust where passages in the question's language hold more of it", async () => {
  const english = "The old bridge over the river was closed for repairs after the flood.";
  const chinese = "洪水之后，河上的旧桥关闭维修。";
  const trusted = async (files: Record<string, string>) => {
    using index = await indexOf({ ...files, "桥.md": chinese });
    const hits = await bestOf(question([index], "bridge closed after flood"), { limit: 3 });
    return hits.find(({ filePath }) => filePath === "桥.md")!.evidence?.factor ?? 1;
  };
  ok(await trusted({ "bridge.md": english }) < await trusted({ "weather.md": "Sunny in the north." }));
});

Deno.test("a hit says how much of the question it holds, and the factor of its score", async () => {
  using index = await indexOf({ ...PENALTIES, "contract.md": CONTRACT });
  const hits = await bestOf(question([index], "违约金"), { limit: 9 });
  const { evidence } = hits.find(({ filePath }) => filePath === "0.sql")!;
  equal(hits[0]!.evidence!.verbatim, 1);
  equal(evidence!.verbatim, 0);
  ok(evidence!.translated! > 0.5 && evidence!.factor! < 1);
});

Deno.test("the shares of the legs still add up to the score", async () => {
  using index = await indexOf({ ...PENALTIES, "contract.md": CONTRACT });
  for (const { score, legs } of await bestOf(question([index], "违约金"), { limit: 9 })) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - score) < 1e-12);
  }
});
