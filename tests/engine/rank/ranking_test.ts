import { deepEqual, equal, ok } from "node:assert/strict";
import { type RankedChunk, Ranking } from "#engine/rank/mod.ts";
import { bestOf, indexOf, namesOf, question, withoutFile } from "./_collection.ts";

const TEXTS = {
  "bridge.md": "The old bridge across the river was closed after the flood.",
  "doctor.md": "The physician examined the patient and prescribed some medicine.",
  "loan.md": "The bank lends money to people who want to buy a house.",
  "桥梁.md": "长江上的这座桥梁在洪水之后关闭了三个月。",
  "football.md": "The goalkeeper saved two penalties in the final of the cup.",
  "weather.md": "Tomorrow will be sunny in the north, with some rain in the south.",
};

Deno.test("a text with similar words is found", async () => {
  using index = await indexOf(TEXTS);
  const [best] = await bestOf(question([index], "doctor drug"), { limit: 5 });
  deepEqual(namesOf([best!]), ["doctor.md"]);
  // Its name contains "doctor", its text a word similar to "drugs".
  ok(best!.legs.maxsim!.share > 0);
});

Deno.test("a question in one language finds the answer in the other", async () => {
  using index = await indexOf(TEXTS);
  const names = async (text: string) => namesOf(await bestOf(question([index], text), { limit: 2 })).sort();
  deepEqual(await names("bridge flood"), ["bridge.md", "桥梁.md"].sort());
  deepEqual(await names("洪水 桥梁"), ["bridge.md", "桥梁.md"].sort());
});

Deno.test("texts that share characters with a question do not drown the one that answers it in English", async () => {
  using index = await indexOf({
    "answer.md": "The annual leave of an employee is fifteen days in the first year.",
    "一.md": "一年之计在于春，多少人一年又一年地忙碌，天天如此。",
    "二.md": "有多少种茶？一年有四季，一天喝一种也喝不完。",
    "三.md": "他一年没有回家，有一天终于回来了。",
  });
  const [best] = await bestOf(question([index], "员工一年有多少天年假"), { limit: 3 });
  deepEqual(namesOf([best!]), ["answer.md"]);
});

Deno.test("a disabled leg has no value and no weight", async () => {
  using index = await indexOf(TEXTS);
  const ask = question([index], "bridge flood", { legs: new Set(["keyword", "maxsim"]) });
  const ranking = await Ranking.of(ask);
  const hits = await ranking.best({ limit: 10 });
  deepEqual(namesOf(hits), ["bridge.md"]);
  deepEqual(Object.keys(hits[0]!.legs).sort(), ["keyword", "maxsim"]);
  deepEqual(Object.keys(ranking.weights).sort(), ["keyword", "maxsim"]);
});

Deno.test("the score is the sum of the legs' shares, and no share exceeds the leg's weight", async () => {
  using index = await indexOf(TEXTS);
  const ranking = await Ranking.of(question([index], "bridge over the river in flood"));
  const weights: Record<string, number | undefined> = ranking.weights;
  for (const { score, legs } of await ranking.best({ limit: 10 })) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - score) < 1e-9);
    for (const [leg, { share }] of Object.entries(legs)) {
      ok(share <= (weights[leg] ?? 0) + 1e-9, `${leg} ${share}`);
    }
  }
});

Deno.test("scores of one question compare under all filters", async () => {
  using index = await indexOf(TEXTS);
  const ranking = await Ranking.of(question([index], "bridge river bank money"));
  const all = await ranking.best({ limit: 10 });
  const others = await ranking.best({
    limit: 10,
    filter: withoutFile(all[0]!.file),
  });
  deepEqual(others.map(({ id }) => id), all.slice(1).map(({ id }) => id));
  others.forEach(({ score }, i) => ok(Math.abs(score - all[i + 1]!.score) < 1e-9));
});

Deno.test("the ranking does not depend on the folder of a text", async () => {
  const entries = Object.entries(TEXTS);
  using whole = await indexOf(TEXTS);
  using one = await indexOf(Object.fromEntries(entries.slice(0, 2)));
  using other = await indexOf(Object.fromEntries(entries.slice(2)));
  for (const text of ["bridge flood", "doctor", "银行 贷款", "rain in the final"]) {
    const together = await bestOf(question([one, other], text), { limit: 10 });
    const wanted = await bestOf(question([whole], text), { limit: 10 });
    deepEqual(together.map(({ id }) => id), wanted.map(({ id }) => id), text);
    together.forEach(({ score }, i) => ok(Math.abs(score - wanted[i]!.score) < 1e-9, text));
  }
});

Deno.test("keyword mode is BM25 of the terms, semantic mode the nearest vectors", async () => {
  using index = await indexOf(TEXTS);
  const ask = async (mode: "keyword" | "semantic") =>
    await bestOf(question([index], "physician medicine", { mode }), { limit: 2 });
  const keyword = await ask("keyword");
  deepEqual(namesOf(keyword), ["doctor.md"]);
  deepEqual(keyword[0]!.legs, { keyword: { raw: keyword[0]!.score, share: keyword[0]!.score, rank: 1 } });
  const semantic = await ask("semantic");
  deepEqual(namesOf(semantic.slice(0, 1)), ["doctor.md"]);
  equal(semantic[0]!.score, semantic[0]!.legs.vector!.raw);
  equal(semantic[0]!.legs.vector!.rank, 1);
});

Deno.test("rrf adds up the shares of the ranks in the two lists", async () => {
  using index = await indexOf(TEXTS);
  const ask = question([index], "bridge flood", { fusion: "rrf", alpha: 0.6 });
  for (const { score, legs } of await bestOf(ask, { limit: 10 })) {
    const ranks = [legs.keyword?.rank, legs.vector?.rank];
    const worth = [0.4, 0.6].map((weight, i) => ranks[i] === undefined ? 0 : weight / (60 + ranks[i]));
    ok(Math.abs(score - worth[0]! - worth[1]!) < 1e-12);
  }
});

Deno.test("the chance is greatest where all words occur, and less where words are only similar", async () => {
  using index = await indexOf(TEXTS);
  const chanceOf = async (text: string, name: string) => {
    const hits = await bestOf(question([index], text), { limit: 10 });
    return hits.find((hit) => namesOf([hit])[0] === name)?.chance ?? 0;
  };
  ok(await chanceOf("bridge river flood", "bridge.md") > 0.9);
  const alike = await chanceOf("surgeon pharmacist", "doctor.md");
  ok(alike > 0.1 && alike < 0.8, String(alike));
  ok(await chanceOf("bridge flood", "桥梁.md") > 0.6);
  ok(await chanceOf("penalties", "weather.md") < 0.2);
});

Deno.test("pairs() returns for each word of the question the most similar word of the text", async () => {
  using index = await indexOf(TEXTS);
  const ranking = await Ranking.of(question([index], "doctors bridges zyzzyvax"));
  const found = [1, 3].map((chunk) => ({
    ...{ index, chunk, id: chunk, file: chunk },
    ...{ filePath: "", language: 1, score: 1, coverage: 1 },
  }));
  const [first, second] = await ranking.pairs(found);
  const pairs = first!.map(({ query, chunk, cosine }) => [query, chunk, cosine === 1]);
  deepEqual(pairs, [["doctors", "doctor", true]]);
  const [pair] = second!;
  equal(pair?.query, "bridges");
  equal(pair?.chunk, "桥梁");
  ok(pair!.cosine > 0.6 && pair!.cosine < 1);
});

Deno.test("a ranking of no chunks is empty", async () => {
  using empty = await indexOf({});
  deepEqual(await bestOf(question([empty], "bridge"), { limit: 5 }), []);
  deepEqual(await bestOf(question([], "bridge"), { limit: 5 }), []);
  using index = await indexOf(TEXTS);
  deepEqual(await bestOf(question([index], "?!"), { limit: 5 }), []);
});

Deno.test("rrf: scores of one question compare under all filters", async () => {
  using index = await indexOf(TEXTS);
  const ask = question([index], "bridge river bank money", { fusion: "rrf" });
  const ranking = await Ranking.of(ask);
  const all = await ranking.best({ limit: 10 });
  ok(all.length > 3);
  deepEqual(await ranking.best({ limit: 10, filter: withoutFile(all[0]!.file) }), all.slice(1));

  // Chunks that only a second call finds come after those of the first.
  const short = await Ranking.of({ ...ask, ftsTopn: 1, vecTopn: 2 });
  const first = await short.best({ limit: 10 });
  const second = await short.best({ limit: 10, filter: withoutFile(first[0]!.file) });
  const fresh = second.filter(({ id }) => first.every((hit) => hit.id !== id));
  ok(fresh.length > 0);
  for (const { legs } of fresh) ok((legs.keyword?.rank ?? 2) >= 2 && (legs.vector?.rank ?? 3) >= 3);
  for (const hit of second) if (!fresh.includes(hit)) deepEqual(hit, first.find(({ id }) => id === hit.id));
});

Deno.test("keyword mode: ranks of a second pass come after those of the first", async () => {
  using index = await indexOf(TEXTS);
  const ranking = await Ranking.of(question([index], "bridge medicine penalties", { mode: "keyword" }));
  const ranks = (hits: readonly RankedChunk[]) => hits.map(({ legs }) => legs.keyword!.rank);
  const [first] = await ranking.best({ limit: 1 });
  const filter = withoutFile(first!.file);
  deepEqual([ranks([first!]), ranks(await ranking.best({ limit: 5, filter }))], [[1], [2, 3]]);
});

Deno.test("semantic mode compares vectors even if the vector leg is off", async () => {
  using index = await indexOf(TEXTS);
  const ask = question([index], "physician medicine", { mode: "semantic" });
  const scores = (hits: readonly RankedChunk[]) => hits.map(({ id, score }) => [id, score]);
  const wanted = scores(await bestOf(ask, { limit: 4 }));
  ok(wanted[0]![1]! > 0);
  const few = await Ranking.of({ ...ask, legs: new Set(["keyword", "maxsim"]) });
  deepEqual(scores(await few.best({ limit: 4 })), wanted);
});

Deno.test("words stored for another model are not decoded", async () => {
  using index = await indexOf(TEXTS);
  const ask = question([index], "physician medicine");
  ok((await bestOf({ ...ask, model: "test" }, { limit: 1 }))[0]!.legs.maxsim!.raw > 0);
  const other = await Ranking.of({ ...ask, model: "another" });
  const [best] = await other.best({ limit: 1 });
  deepEqual([namesOf([best!]), best!.legs.maxsim!.raw, best!.legs.sentence!.raw], [["doctor.md"], 0, 0]);
  deepEqual(await other.pairs([best!]), [[]]);
});
