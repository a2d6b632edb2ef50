import { deepEqual, equal, match, ok } from "node:assert/strict";
import { basename } from "node:path";
import { EmbeddingFailure, type NeuralModels, routesOf } from "#models/embedding/mod.ts";
import { makeNeuralVectors } from "#library/ingest/neural/make_neural_vectors.ts";
import { type SearchAnswer, type SearchRequest, WantedTexts } from "#library/search/mod.ts";
import { topicModels } from "../../../models/embedding/_topic_models.ts";
import { Place, storeAt } from "../../ingest/_place.ts";

const FILES = {
  "red.md": "The red automobile was sold.",
  "cat.md": "Our cat sleeps all day.",
  "loaf.md": "A baguette from the bakery.",
  "tax.md": "The tax office opens at nine.",
  "zh.md": "小猫在沙发上睡觉。",
};

async function placeWith(files: Record<string, string> = FILES): Promise<Place> {
  const place = new Place();
  place.write(files);
  await place.ingest();
  return place;
}

const make = (place: Place, models: NeuralModels) => makeNeuralVectors(storeAt(place.root), models);

async function ask(place: Place, request: SearchRequest, models?: NeuralModels): Promise<SearchAnswer> {
  const library = await place.library({ models });
  return await library.search(request);
}

const first = ({ hits }: SearchAnswer) => hits[0] && basename(hits[0].filePath);

Deno.test("a question finds a text that shares no word with it, by a local model", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  const answer = await ask(place, { query: "vehicle", explain: true }, models);
  equal(first(answer), "red.md");
  deepEqual(answer.notices, []);
  const [best] = answer.explanation!.chunks;
  ok(best!.legs.neural!.raw > 0.9, "cosine of the model");
  equal(best!.legs.neural!.rank, 1);
  equal(answer.explanation!.weights.neural, 0.5);
});

Deno.test("without vectors the answer is that of the built-in table, and it says so", async () => {
  using place = await placeWith();
  const models = topicModels();
  const request = { query: "red automobile" };
  const plain = await ask(place, request);
  const answer = await ask(place, request, models);
  deepEqual(answer.hits, plain.hits);
  match(
    answer.notices.join(),
    /^Vectors of the local model for texts in the question's language: 0 %\..* run: muxue_rag index --wait --dir \S/,
  );
  deepEqual(models.of("en").texts, [], "the question is not given to the model in vain");
});

Deno.test("a chunk without a vector is neither hidden nor favoured", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  place.write({ "new.md": "The green automobile was bought." });
  await place.ingest();
  const answer = await ask(place, { query: "green automobile" }, models);
  equal(first(answer), "new.md");
  match(answer.notices.join(), /Vectors of the local model for .*: 80 %/);
  equal(first(await ask(place, { query: "red automobile" }, models)), "red.md");
});

Deno.test("a question in Chinese uses the model for Chinese", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  const asked = models.of("zh").texts.length;
  const answer = await ask(place, { query: "猫咪" }, models);
  equal(first(answer), "zh.md");
  deepEqual(models.of("zh").texts.slice(asked), ["猫咪"]);
});

Deno.test("between the languages the built-in table ranks, and no share is told that nothing can raise", async () => {
  const notes = {
    "cat.md": "小猫在沙发上睡觉，小猫很可爱。",
    "bread.md": "面包店的面包在早上八点出炉。",
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.md`, `第${i}号税务局九点开门。`])),
    "en.md": "The kitten is called Tom.",
  };
  using place = await placeWith(notes);
  const query = "bread from the bakery in the morning";
  const plain = await ask(place, { query });
  equal(first(plain), "bread.md");
  const models = topicModels();
  const before = await ask(place, { query }, models);
  deepEqual([before.hits, before.notices], [plain.hits, []], "no vector is made yet");
  await make(place, models);
  const after = await ask(place, { query }, models);
  const chinese = ({ hits }: SearchAnswer) =>
    hits.map(({ filePath }) => filePath).filter((path) => !path.endsWith("en.md"));
  deepEqual([chinese(after), after.notices], [chinese(plain), []], "every vector is made");
});

Deno.test("vectors that are made while a library is open are used by its next search", async () => {
  using place = await placeWith();
  const models = topicModels();
  const library = await place.library({ models });
  equal((await library.search({ query: "vehicle" })).notices.length, 1);
  await make(place, models);
  const answer = await library.search({ query: "vehicle" });
  deepEqual([first(answer), answer.notices], ["red.md", []]);
});

Deno.test("a model that fails does not keep a search from answering, and the answer says why", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  models.of("en").before = () => {
    throw new EmbeddingFailure("bad_answer", {});
  };
  const request = { query: "red automobile" };
  const answer = await ask(place, request, models);
  deepEqual(answer.hits, (await ask(place, request)).hits);
  match(answer.notices.join(), /^The local model could not be used/);
});

Deno.test("when all vectors are made, the share is whole and a search makes no more, whatever scripts the texts mix", async () => {
  const numbers = Array.from(
    { length: 14 },
    (_, i) => `华东 | ${2000 + i} | ${371 * i}.5 | ${113 * i}.2 | ${i}.3%`,
  );
  using place = await placeWith({
    "table.txt": `地区 年份 收入 支出 增长率\n${numbers.join("\n")}`,
    "zh.md": "小猫在沙发上睡觉。",
    "refused.md": "华东地区的 poison。",
    "numbers.txt": "12 34 56",
    "mixed.md": "用 Docker 部署。 Deploy it by Docker.",
    "en.md": "Our cat sleeps all day.",
    "ja.md": "日本語の文書です。東京都内の会議室予約一覧。",
  });
  const models = { ...topicModels(), routesOf };
  await make(place, models);
  for (const [query, language] of [["华东地区的收入", "zh"], ["our docker cat", "en"]] as const) {
    const { texts } = models.of(language);
    const before = texts.length;
    const { notices } = await ask(place, { query }, models);
    deepEqual([notices, texts.slice(before)], [[], [query]]);
  }
});

Deno.test("an answer promises the missing vectors only where a server makes them", async () => {
  using place = await placeWith();
  const models = topicModels();
  for (const wanted of [undefined, new WantedTexts()]) {
    const library = await place.library({ models, wanted });
    const { notices } = await library.search({ query: "vehicle" });
    equal(notices.join().includes("The server makes the rest in the background"), wanted !== undefined);
  }
});

Deno.test("the share counts only chunks in the language of the question", async () => {
  using place = await placeWith({ "mixed.md": "用 Vim 修改，用 Go 部署。" });
  const models = { ...topicModels(), routesOf };
  equal((await make(place, models)).total, 2);
  place.write({ "en.md": "Our cat sleeps all day." });
  await place.ingest();
  match(
    (await ask(place, { query: "our cat" }, models)).notices.join(),
    /Vectors of the local model for .*: 0 %/,
  );
});

Deno.test("a search that asks for candidates several times makes at most 8 vectors", async () => {
  const parts = (f: number) =>
    Array.from(
      { length: 300 },
      (_, i) => `## Part ${f} ${i}\n\n${"cat ".repeat(12 - f)}${`sleeps here${f} `.repeat(60)}`,
    ).join("\n\n");
  using place = await placeWith({ "one.md": "A loaf of bread." });
  const models = topicModels();
  await make(place, models);
  place.write(Object.fromEntries([0, 1, 2, 3].map((f) => [`long${f}.md`, parts(f)])));
  await place.ingest();
  const { texts } = models.of("en");
  const before = texts.length;
  await ask(place, { query: "cat sleeps", topK: 20 }, models);
  deepEqual([texts[before], texts.length - before], ["cat sleeps", 1 + 8]);
});

Deno.test("keyword searches do not use the models, semantic ones do", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  const asked = models.of("en").texts.length;
  deepEqual((await ask(place, { query: "vehicle", mode: "keyword" }, models)).hits, []);
  equal(models.of("en").texts.length, asked);
  equal(first(await ask(place, { query: "vehicle", mode: "semantic" }, models)), "red.md");
});

Deno.test("filters hold for chunks that a model finds", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  const answer = await ask(place, { query: "vehicle path:cat.md" }, models);
  ok(answer.hits.every(({ filePath }) => filePath.endsWith("cat.md")));
});

Deno.test("candidates without a vector get one while the question waits, and are noted for the background work", async () => {
  using place = await placeWith();
  const models = topicModels();
  await make(place, models);
  place.write({ "new.md": "The green automobile was bought." });
  await place.ingest();
  const wanted = new WantedTexts();
  const library = await place.library({ models, wanted });
  const { explanation } = await library.search({ query: "green vehicle", explain: true });
  const chunk = explanation!.chunks.find(({ filePath }) => filePath.endsWith("new.md"))!;
  ok(chunk.legs.neural!.raw > 0.9);
  equal(wanted.take(place.root).length, 1);
  const asked = models.of("en").texts.length;
  await library.search({ query: "green vehicle" });
  equal(models.of("en").texts.length, asked, "vectors of text and question are remembered");
});
