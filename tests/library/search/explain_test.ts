import { deepEqual, equal, ok } from "node:assert/strict";
import { basename } from "node:path";
import { explanationText } from "#library/answer/mod.ts";
import { Place } from "../ingest/_place.ts";

Deno.test("an explanation has the outcome of every candidate", async () => {
  using place = await Place.indexed({
    "long.md": Array.from({ length: 5 }, (_, i) => `## Part ${i}\n\n${"apple ".repeat(20)}`).join("\n\n"),
    "one.txt": "an apple a day keeps the doctor away",
    "two.txt": "there is one apple in this longer text about pears, plums and other fruit",
  }, { chunking: { max_chars: 150, overlap: 0 } });
  const library = await place.library({ settings: { search: { per_doc_limit: 2 } } });
  const { hits, explanation } = await library.search({ query: "apple", topK: 3, explain: true });
  const { mode, fusion, model, terms, weights, chunks } = explanation!;
  deepEqual([mode, fusion, model, terms], ["hybrid", "weighted", "builtin/1", [{ term: "appl", weight: 1 }]]);
  deepEqual(chunks.map(({ rank }) => rank), chunks.map((_, i) => i + 1));
  const shown = chunks.filter(({ outcome }) => outcome === "shown");
  deepEqual(shown.map(({ chunkId }) => chunkId), hits.map(({ chunkId }) => chunkId));
  const ofLong = chunks.filter(({ filePath }) => filePath.endsWith("long.md")).map(({ outcome }) => outcome);
  deepEqual(ofLong, ["shown", "shown", "file_limit", "file_limit", "file_limit"]);
  equal(chunks.filter(({ outcome }) => outcome === "below_top_k").length, 1);
  for (const { score, legs } of chunks) {
    const sum = Object.values(legs).reduce((sum, { share }) => sum + share, 0);
    ok(Math.abs(sum - score) < 1e-9, "the shares add up to the score");
  }
  ok((weights.keyword ?? 0) > 0);
  deepEqual(shown[0]!.pairs, [{ query: "apple", chunk: "apple", cosine: 1 }]);
  const text = explanationText(await library.search({ query: "apple", topK: 3, explain: true }), "en");
  ok(
    text.includes("its file already has as many passages in the answer as search.per_doc_limit allows"),
    text,
  );
});

Deno.test("an explanation has the list of every candidate, the phrases and the exclusions", async () => {
  using place = await Place.indexed({
    "ship.txt": "The vessel sailed across the ocean.",
    "pie.txt": "A recipe for apple pie.",
  });
  const library = await place.library();
  const { explanation } = await library.search({ query: 'boat at sea -pear "the ocean"', explain: true });
  deepEqual([explanation!.phrases, explanation!.excluded], [["the ocean"], ["pear"]]);
  deepEqual(explanation!.chunks.map(({ filePath, foundBy }) => [basename(filePath), foundBy]), [
    ["ship.txt", "both"],
  ]);
  const { explanation: byMeaning } = await library.search({ query: "boat at sea", explain: true });
  deepEqual(byMeaning!.chunks.map(({ filePath, foundBy }) => [basename(filePath), foundBy])[0], [
    "ship.txt",
    "vector",
  ]);
});

Deno.test("an explanation says how much of the question a hit holds, and which of its words are translations", async () => {
  using place = await Place.indexed({
    "contract.md": "提前退租要付违约金，数额为两个月租金。",
    "billing.sql": "my_penalty(amount): late penalty of an invoice, penalty",
  });
  const library = await place.library();
  const { explanation } = await library.search({ query: "违约金", explain: true });
  const [contract, billing] = explanation!.chunks;
  deepEqual(contract!.evidence!.verbatim, 1);
  deepEqual([billing!.evidence!.verbatim, billing!.evidence!.factor! < 1], [0, true]);
  const { query, chunk, sureness } = billing!.pairs![0]!;
  deepEqual([query, chunk, sureness! > 0.5 && sureness! < 1], ["违约金", "penalty", true]);
});
