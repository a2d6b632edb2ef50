import { deepEqual, equal } from "node:assert/strict";
import type { TestCollection } from "#library/evaluate/mod.ts";
import { align } from "../../../research/eval/align.ts";
import { sentencesOf } from "../../../research/eval/sentences.ts";
import { splitPair } from "../../../research/eval/split_pair.ts";
import { squadLabeller } from "../../../research/eval/squad_answers.ts";

Deno.test("sentencesOf() cuts English and Chinese text, but not after an abbreviation", () => {
  deepEqual(sentencesOf("Dr. Smith met J. F. Kennedy in the U.S. Senate. He left. "), [
    "Dr. Smith met J. F. Kennedy in the U.S. Senate.",
    "He left.",
  ]);
  deepEqual(sentencesOf("他住在华沙。他走了！为什么？"), ["他住在华沙。", "他走了！", "为什么？"]);
});

Deno.test("align() joins two sentences that are one in the translation", () => {
  deepEqual(align([100, 40, 45, 90], [31, 26, 29], 0.32), [
    { first: [0, 1], second: [0, 1] },
    { first: [1, 3], second: [1, 2] },
    { first: [3, 4], second: [2, 3] },
  ]);
  deepEqual(align([10], [1, 1, 1, 1], 1), []);
});

const english: TestCollection = {
  name: "en",
  unit: "file",
  documents: [
    { id: "d", title: "Warsaw", text: "Warsaw is a city in Poland. The river Vistula flows through it." },
  ],
  queries: [
    { id: "river", text: "What stream crosses the town?", targets: [{ document: "d", gain: 1 }] },
    { id: "city", text: "Where is it?", targets: [{ document: "d", gain: 1 }] },
  ],
};
const chinese: TestCollection = {
  name: "zh",
  unit: "file",
  documents: [{ id: "d", title: "Warsaw", text: "华沙是波兰的一座城市。维斯瓦河流经该市。" }],
  queries: [
    { id: "river", text: "哪条河流经该市？", targets: [{ document: "d", gain: 1 }] },
    { id: "city", text: "它在哪里？", targets: [{ document: "d", gain: 1 }] },
  ],
};

Deno.test("splitPair() labels each language by the words of the other, and omits unclear questions", () => {
  const { first, second } = splitPair(english, chinese);
  deepEqual(first, {
    name: "en",
    unit: "file",
    documents: [
      { id: "d-0", title: "", text: "Warsaw is a city in Poland." },
      { id: "d-1", title: "", text: "The river Vistula flows through it." },
    ],
    // The sentence has none of its words, but the Chinese one does.
    queries: [{
      id: "river",
      text: "What stream crosses the town?",
      targets: [{ document: "d-1", gain: 1 }],
    }],
  });
  deepEqual(second.documents.map(({ id, text }) => `${id} ${text}`), [
    "d-0 华沙是波兰的一座城市。",
    "d-1 维斯瓦河流经该市。",
  ]);
});

Deno.test("splitPair() labels each question by the start of its answer, if the answers are known", () => {
  const context = english.documents[0]!.text;
  const qas = [
    { question: "What stream crosses the town?", answers: [{ answer_start: context.indexOf("Vistula") }] },
    { question: "Where is it?", answers: [{ answer_start: context.indexOf("Poland") }] },
  ];
  const known = squadLabeller(
    JSON.stringify({ data: [{ paragraphs: [{ context, qas }] }] }),
    english.documents,
  );
  const { first, second } = splitPair(english, chinese, known);
  for (const { queries } of [first, second]) {
    deepEqual(queries.map(({ id, targets }) => `${id} ${targets[0]!.document}`), ["river d-1", "city d-0"]);
  }
  equal(first.queries[0]!.text, "What stream crosses the town?");
});
