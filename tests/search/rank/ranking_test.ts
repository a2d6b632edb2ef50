import { deepEqual, equal, ok } from "node:assert/strict";
import { Collection, IndexReader, IndexWriter } from "../../../lib/index/mod.ts";
import { feedbackTerms } from "../../../lib/search/rank/legs/feedback.ts";
import { type RankedChunk, Ranking } from "../../../lib/search/rank/mod.ts";
import { META } from "../../index/_build.ts";
import { indexOf, meaning, namesOf, question } from "./_collection.ts";
import { KEY } from "../../index/_blob_forge.ts";

const TEXTS = {
  "bridge.md": "The old bridge across the river was closed after the flood.",
  "doctor.md": "The physician examined the patient and prescribed some medicine.",
  "loan.md": "The bank lends money to people who want to buy a house.",
  "桥梁.md": "长江上的这座桥梁在洪水之后关闭了三个月。",
  "football.md": "The goalkeeper saved two penalties in the final of the cup.",
  "weather.md": "Tomorrow will be sunny in the north, with some rain in the south.",
};

Deno.test("a text that says it in other words is found", async () => {
  using reader = await indexOf(TEXTS);
  const [best] = new Ranking(question([reader], "doctor drug")).best({ limit: 5 });
  deepEqual(namesOf([best!]), ["doctor.md"]);
  // its name holds the doctor, its text something like drugs
  ok(best!.legs.maxsim!.share > 0);
});

Deno.test("a question in one language finds the answer in the other", async () => {
  using reader = await indexOf(TEXTS);
  const names = (text: string) => namesOf(new Ranking(question([reader], text)).best({ limit: 2 })).sort();
  deepEqual(names("bridge flood"), ["bridge.md", "桥梁.md"].sort());
  deepEqual(names("洪水 桥梁"), ["bridge.md", "桥梁.md"].sort());
});

Deno.test("texts that share characters with a question do not drown the one that answers it in English", async () => {
  using reader = await indexOf({
    "answer.md": "The annual leave of an employee is fifteen days in the first year.",
    "一.md": "一年之计在于春，多少人一年又一年地忙碌，天天如此。",
    "二.md": "有多少种茶？一年有四季，一天喝一种也喝不完。",
    "三.md": "他一年没有回家，有一天终于回来了。",
  });
  const [best] = new Ranking(question([reader], "员工一年有多少天年假")).best({ limit: 3 });
  deepEqual(namesOf([best!]), ["answer.md"]);
});

Deno.test("a leg that is off neither costs nor counts", async () => {
  using reader = await indexOf(TEXTS);
  const ask = question([reader], "bridge flood", { legs: new Set(["keyword", "maxsim"]) });
  const ranking = new Ranking(ask);
  const hits = ranking.best({ limit: 10 });
  deepEqual(namesOf(hits), ["bridge.md"]);
  deepEqual(Object.keys(hits[0]!.legs).sort(), ["keyword", "maxsim"]);
  deepEqual(Object.keys(ranking.weights).sort(), ["keyword", "maxsim"]);
});

Deno.test("the score is the sum of the legs' shares, and no leg gives more than it weighs", async () => {
  using reader = await indexOf(TEXTS);
  const ranking = new Ranking(question([reader], "bridge over the river in flood"));
  const weights: Record<string, number | undefined> = ranking.weights;
  for (const { score, legs } of ranking.best({ limit: 10 })) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - score) < 1e-9);
    for (const [leg, { share }] of Object.entries(legs)) {
      ok(share <= (weights[leg] ?? 0) + 1e-9, `${leg} ${share}`);
    }
  }
});

Deno.test("answers to one question compare, whatever their filters", async () => {
  using reader = await indexOf(TEXTS);
  const ranking = new Ranking(question([reader], "bridge river bank money"));
  const all = ranking.best({ limit: 10 });
  const others = ranking.best({
    limit: 10,
    filter: ({ chunks }) => Uint8Array.from({ length: chunks.length }, (_, i) => i === all[0]!.chunk ? 0 : 1),
  });
  deepEqual(others.map(({ id }) => id), all.slice(1).map(({ id }) => id));
  others.forEach(({ score }, i) => ok(Math.abs(score - all[i + 1]!.score) < 1e-9));
});

Deno.test("the folder that a text lies in does not matter", async () => {
  const entries = Object.entries(TEXTS);
  using whole = await indexOf(TEXTS);
  using one = await indexOf(Object.fromEntries(entries.slice(0, 2)));
  using other = await indexOf(Object.fromEntries(entries.slice(2)));
  for (const text of ["bridge flood", "doctor", "银行 贷款", "rain in the final"]) {
    const together = new Ranking(question([one, other], text)).best({ limit: 10 });
    const wanted = new Ranking(question([whole], text)).best({ limit: 10 });
    deepEqual(together.map(({ id }) => id), wanted.map(({ id }) => id), text);
    together.forEach(({ score }, i) => ok(Math.abs(score - wanted[i]!.score) < 1e-9, text));
  }
});

Deno.test("keyword mode is BM25 of the terms, semantic mode the nearest vectors", async () => {
  using reader = await indexOf(TEXTS);
  const ask = (mode: "keyword" | "semantic") =>
    new Ranking(question([reader], "physician medicine", { mode })).best({ limit: 2 });
  const keyword = ask("keyword");
  deepEqual(namesOf(keyword), ["doctor.md"]);
  deepEqual(keyword[0]!.legs, { keyword: { raw: keyword[0]!.score, share: keyword[0]!.score, rank: 1 } });
  const semantic = ask("semantic");
  deepEqual(namesOf(semantic.slice(0, 1)), ["doctor.md"]);
  equal(semantic[0]!.score, semantic[0]!.legs.vector!.raw);
  equal(semantic[0]!.legs.vector!.rank, 1);
});

Deno.test("rrf adds up what the places in the two lists are worth", async () => {
  using reader = await indexOf(TEXTS);
  const vector = meaning.analyzer.analyze("bridge flood river").vector;
  const { meaning: _, ...plain } = question([reader], "bridge flood", { fusion: "rrf", alpha: 0.6 });
  for (const { score, legs } of new Ranking({ ...plain, queryVector: vector }).best({ limit: 10 })) {
    const ranks = [legs.keyword?.rank, legs.vector?.rank];
    const worth = [0.4, 0.6].map((weight, i) => ranks[i] === undefined ? 0 : weight / (60 + ranks[i]));
    ok(Math.abs(score - worth[0]! - worth[1]!) < 1e-12);
  }
});

Deno.test("with an outside model's vectors, alpha is their share", async () => {
  using reader = await indexOf(TEXTS);
  const vector = meaning.analyzer.analyze("medicine").vector;
  const best = (alpha: number) => {
    const { meaning: _, ...plain } = question([reader], "bridge", { alpha });
    return namesOf(new Ranking({ ...plain, queryVector: vector }).best({ limit: 1 }));
  };
  deepEqual([best(0), best(1)], [["bridge.md"], ["doctor.md"]]);
});

Deno.test("a vector of other dimensions finds nothing", async () => {
  using reader = await indexOf(TEXTS);
  const { meaning: _, ...plain } = question([reader], "bridge", { mode: "semantic" });
  deepEqual(new Ranking({ ...plain, queryVector: Float32Array.of(1, 0, 0) }).best({ limit: 5 }), []);
});

Deno.test("coverage is 1 where every word is there, and in between where words are merely alike", async () => {
  using reader = await indexOf(TEXTS);
  const coverageOf = (text: string, name: string) => {
    const hits = new Ranking(question([reader], text)).best({ limit: 10 });
    return hits.find((hit) => namesOf([hit])[0] === name)?.coverage ?? 0;
  };
  ok(coverageOf("bridge river flood", "bridge.md") > 0.999);
  const alike = coverageOf("surgeon pharmacist", "doctor.md");
  ok(alike > 0.05 && alike < 0.6, String(alike));
  ok(coverageOf("bridge flood", "桥梁.md") > 0.6);
  ok(coverageOf("penalties", "weather.md") < 0.2);
});

Deno.test("the pairs say which word of a text answers which of the question", async () => {
  using reader = await indexOf(TEXTS);
  const ranking = new Ranking(question([reader], "doctors bridges zyzzyvax"));
  const pairs = ranking.pairs(reader, 1).map(({ query, chunk, cosine }) => [query, chunk, cosine === 1]);
  deepEqual(pairs, [["doctors", "doctor", true]]);
  const [pair] = ranking.pairs(reader, 3);
  equal(pair?.query, "bridges");
  equal(pair?.chunk, "桥梁");
  ok(pair!.cosine > 0.6 && pair!.cosine < 1);
});

Deno.test("nothing is found where nothing is", async () => {
  using empty = await indexOf({});
  deepEqual(new Ranking(question([empty], "bridge")).best({ limit: 5 }), []);
  deepEqual(new Ranking(question([], "bridge")).best({ limit: 5 }), []);
  using reader = await indexOf(TEXTS);
  deepEqual(new Ranking(question([reader], "?!")).best({ limit: 5 }), []);
});

Deno.test("rrf: answers to one question compare, whatever their filters", async () => {
  using reader = await indexOf(TEXTS);
  const vector = meaning.analyzer.analyze("bridge river bank money").vector;
  const { meaning: _, ...plain } = question([reader], "bridge river bank money", { fusion: "rrf" });
  const without = (chunk: number) => ({ chunks }: { readonly chunks: { readonly length: number } }) =>
    Uint8Array.from({ length: chunks.length }, (_, i) => i === chunk ? 0 : 1);
  const ranking = new Ranking({ ...plain, queryVector: vector });
  const all = ranking.best({ limit: 10 });
  ok(all.length > 3);
  deepEqual(ranking.best({ limit: 10, filter: without(all[0]!.chunk) }), all.slice(1));

  // what only a second look finds comes after what the first has found
  const short = new Ranking({ ...plain, queryVector: vector, ftsTopn: 1, vecTopn: 2 });
  const first = short.best({ limit: 10 });
  const second = short.best({ limit: 10, filter: without(first[0]!.chunk) });
  const fresh = second.filter(({ id }) => first.every((hit) => hit.id !== id));
  ok(fresh.length > 0);
  for (const { legs } of fresh) ok((legs.keyword?.rank ?? 2) >= 2 && (legs.vector?.rank ?? 3) >= 3);
  for (const hit of second) if (!fresh.includes(hit)) deepEqual(hit, first.find(({ id }) => id === hit.id));
});

Deno.test("by keywords, too, the places of a second look come after those of the first", async () => {
  using reader = await indexOf(TEXTS);
  const ranking = new Ranking(question([reader], "bridge medicine penalties", { mode: "keyword" }));
  const ranks = (hits: readonly RankedChunk[]) => hits.map(({ legs }) => legs.keyword!.rank);
  const [first] = ranking.best({ limit: 1 });
  const filter = ({ chunks }: { readonly chunks: { readonly length: number } }) =>
    Uint8Array.from({ length: chunks.length }, (_, i) => i === first!.chunk ? 0 : 1);
  deepEqual([ranks([first!]), ranks(ranking.best({ limit: 5, filter }))], [[1], [2, 3]]);
});

Deno.test("semantic mode stands on vectors, whatever legs a hybrid ranking has", async () => {
  using reader = await indexOf(TEXTS);
  const ask = question([reader], "physician medicine", { mode: "semantic" });
  const scores = (hits: readonly RankedChunk[]) => hits.map(({ id, score }) => [id, score]);
  const wanted = scores(new Ranking(ask).best({ limit: 4 }));
  ok(wanted[0]![1]! > 0);
  const few = new Ranking({ ...ask, legs: new Set(["keyword", "maxsim"]) });
  deepEqual(scores(few.best({ limit: 4 })), wanted);
});

Deno.test("how far a vector stands out is told without reading exact vectors from the disk", async () => {
  const path = await Deno.makeTempFile({ prefix: "muxue_rank_" });
  try {
    {
      using target = await Deno.open(path, { truncate: true, read: true, write: true });
      const writer = new IndexWriter(target, KEY, undefined, { model: "test", dimensions: 4, exact: true });
      writer.beginFile();
      for (let i = 0; i < 500; i++) {
        const place = { start: i, end: i + 1, startLine: 1, endLine: 1 };
        writer.addChunk({ text: `word${i}`, context: "", ...place, section: [] });
      }
      writer.endFile({ path: "a.md", size: 1, mtimeMs: 1, sha256: "ab", status: "indexed" });
      const vectorOf = (i: number) => Float32Array.of(Math.cos(i), Math.sin(i), 0, 0);
      await writer.finish(META, () => Promise.resolve(), () => Promise.resolve(vectorOf));
    }
    using reader = IndexReader.open(Deno.openSync(path), { key: KEY });
    const vectors = reader.vectors!;
    const read = vectors.exact.bind(vectors);
    let reads = 0;
    vectors.exact = (chunk) => {
      reads++;
      return read(chunk);
    };
    const { meaning: _, ...plain } = question([reader], "word7", { alpha: 0.6 });
    const ask = { ...plain, queryVector: Float32Array.of(1, 0, 0, 0), vecTopn: 20 };
    const ranking = new Ranking(ask);
    const hits = ranking.best({ limit: 10 });
    equal(hits.length, 10);
    ok(hits[0]!.coverage > 0);
    // those of the candidates: 50 by keywords, 20 by vectors
    ok(reads <= 70, String(reads));
  } finally {
    await Deno.remove(path).catch(() => {});
  }
});

Deno.test("words that an index keeps of another model are not read as words of the table", async () => {
  using reader = await indexOf(TEXTS);
  const ask = question([reader], "physician medicine");
  ok(new Ranking({ ...ask, model: "test" }).best({ limit: 1 })[0]!.legs.maxsim!.raw > 0);
  const other = new Ranking({ ...ask, model: "another" });
  const [best] = other.best({ limit: 1 });
  deepEqual([namesOf([best!]), best!.legs.maxsim!.raw, best!.legs.sentence!.raw], [["doctor.md"], 0, 0]);
  deepEqual(other.pairs(reader, best!.chunk), []);
});

Deno.test("of a text of many pages the feedback leg reads the beginning", async () => {
  const filler = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.md`, "nothing of the kind"]));
  using reader = await indexOf({
    "long.md": `bridge river ${"bridge ".repeat(6000)} zebra`,
    "short.md": "a river and a zebra",
    ...filler,
  });
  const collection = new Collection([reader]);
  const best = Int32Array.of(0);
  const candidates = { length: 1, readers: best, chunks: best, keywordRanks: best, vectorRanks: best };
  const terms = feedbackTerms(candidates, Float64Array.of(1), collection, meaning).map(({ term }) => term);
  deepEqual(terms, ["river"]);
});
