import { deepEqual, equal, rejects } from "node:assert/strict";
import { CHECK_LIMITS, checkAnswer, type CheckedAnswer } from "#library/search/mod.ts";
import { Place } from "../ingest/_place.ts";

const FILES = {
  "bridges.md": `# Harbour Bridge

It was opened in 2008 by the mayor.

It has six lanes.

# Tower Bridge

It was opened in 1894.
`,
  "secret/plan.md": "---\naccess_level: secret\n---\n\n# Plan\n\nThe vault holds 40 bars of gold.\n",
};

/** Verdicts, quotations and places, with paths relative to the folder. */
function brief({ sentences }: CheckedAnswer, place: Place): unknown[] {
  return sentences.map(({ verdict, quote, source }) => [
    verdict,
    quote,
    source?.filePath?.slice(place.root.length + 1) ?? source?.passage,
    source?.startLine,
  ]);
}

async function indexed(use: (place: Place) => Promise<void>): Promise<void> {
  using place = await Place.indexed(FILES);
  await use(place);
}

Deno.test("given texts are the passages, and no index is needed", async () => {
  using place = new Place();
  const library = await place.library({ roots: [] });
  const passages = [{ text: "Nothing." }, { text: "Bridges.\n\nThe bridge has six lanes." }];
  const checked = await checkAnswer(library, { answer: "The bridge has six lanes.", passages });
  deepEqual(brief(checked, place), [["supported", "The bridge has six lanes.", 2, 3]]);
});

Deno.test("a chunk counts with its file, its headings and its neighbours, and its lines are those of the file", async () => {
  await indexed(async (place) => {
    const library = await place.library();
    const { hits } = await library.search({ query: "Harbour Bridge opened" });
    const chunkIds = [hits[0]!.chunkId, "0123456789abcdef", hits[0]!.chunkId];
    const answer = "The Harbour Bridge was opened in 2008. It has seven lanes.";
    const checked = await checkAnswer(library, { answer, chunkIds });
    deepEqual(brief(checked, place), [
      ["supported", "It was opened in 2008 by the mayor.", "bridges.md", 3],
      ["conflicting", "It has six lanes.", "bridges.md", 5],
    ]);
    deepEqual(checked.unknownChunks, ["0123456789abcdef"]);
  });
});

Deno.test("a search is answered in the midst of a long check, and a check can be cancelled", async () => {
  await indexed(async (place) => {
    const library = await place.library();
    const ended: string[] = [];
    const text = Array.from({ length: 4000 }, (_, i) => `Bridge ${i} has ${i + 2} lanes.`).join("\n");
    const request = { answer: text.slice(0, CHECK_LIMITS.answer), passages: [{ text }] };
    const checked = checkAnswer(library, request).then(() => ended.push("check"));
    await library.search({ query: "Harbour Bridge opened" });
    ended.push("search");
    await checked;
    deepEqual(ended, ["search", "check"]);
    const cancel = new AbortController();
    const cancelled = checkAnswer(library, request, cancel.signal);
    cancel.abort(new Error("cancelled"));
    await rejects(cancelled, { message: "cancelled" });
  });
});

Deno.test("a search for the question gives the passages, or one for the answer", async () => {
  await indexed(async (place) => {
    const library = await place.library();
    const answer = 'Harbour Bridge: (opened) in 2009 AND "by" the -mayor.';
    for (const question of [undefined, "When was the Harbour Bridge opened?"]) {
      const { sentences: [sentence] } = await checkAnswer(library, { answer, question });
      deepEqual([sentence?.verdict, sentence?.claimed, sentence?.found], ["conflicting", "2009", "2008"]);
    }
  });
});

Deno.test("a chunk of a document that may not be known is unknown, and no search finds it", async () => {
  await indexed(async (place) => {
    const all = await place.library();
    const { hits: [secret] } = await all.search({ query: "vault gold" });
    const limited = await place.library({ access: [{ levels: ["public"], missing: "include" }] });
    const answer = "The vault holds 40 bars of gold.";
    equal((await checkAnswer(all, { answer })).sentences[0]?.verdict, "supported");
    await rejects(checkAnswer(limited, { answer, chunkIds: [secret!.chunkId] }), { key: "chunk_not_found" });
    equal((await checkAnswer(limited, { answer })).sentences[0]?.verdict, "not_found");
  });
});

Deno.test("an empty answer, and too long or too many texts, are refused", async () => {
  using place = new Place();
  const library = await place.library({ roots: [] });
  const cases: [string, Parameters<typeof checkAnswer>[1]][] = [
    ["check_answer_empty", { answer: " " }],
    ["check_answer_too_long", { answer: "x".repeat(CHECK_LIMITS.answer + 1) }],
    ["check_passages_too_long", { answer: "x", passages: [{ text: "x".repeat(CHECK_LIMITS.text + 1) }] }],
    ["check_too_many_passages", { answer: "x", chunkIds: Array.from({ length: 51 }, (_, i) => `${i}`) }],
  ];
  for (const [key, request] of cases) await rejects(checkAnswer(library, request), { key });
});
