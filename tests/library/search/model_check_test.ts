import { deepEqual } from "node:assert/strict";
import type { LanguageModel } from "#models/language/mod.ts";
import { checkAnswer } from "#library/search/mod.ts";
import { Place } from "../ingest/_place.ts";

const ENGLISH = [
  "The tower was finished in May 1998.",
  "It rises 90 m above the sea and was designed by Anna Berger.",
  "Visitors may not climb it in winter.",
  "Maria Keller sold 45 tickets in 2003.",
];
const CHINESE = [
  "这座塔1998年5月建成，高90米，由张伟设计。",
  "冬季不开放登塔。",
  "王芳在2003年卖出45张门票。",
];

/** A model that calls the first sentence of each answer supported by a quotation from the first passage. */
function yesModel(quote: string): LanguageModel {
  const statement = { text: "It is so.", sentence: 1, verdict: "supported", passage: 1, quote };
  const usage = { inputTokens: 9, outputTokens: 3, isEstimated: false, calls: 1 };
  return {
    id: "test/yes",
    origin: "http://127.0.0.1:1",
    isLocal: true,
    contextTokens: 8000,
    parameters: "",
    concurrency: 1,
    object: (_, schema) => Promise.resolve({ value: schema.parse({ statements: [statement] }), usage }),
    text: () => Promise.reject(new Error("not asked for")),
  };
}

/** The verdict and the reason of a sentence, by a model that quotes this. */
async function checked(answer: string, text: string, quote: string): Promise<string[]> {
  using place = new Place();
  const library = await place.library({
    roots: [],
    settings: { llm: { provider: "ollama", model: "small", tasks: ["verify"] } },
    languageModel: () => Promise.resolve(yesModel(quote)),
  });
  const { sentences } = await checkAnswer(library, { answer, passages: [{ text }] });
  return sentences.flatMap(({ verdict, reason }) => [verdict, reason]);
}

Deno.test("a model that says yes to everything supports no other number, date, unit, name or negation, whatever it quotes", async () => {
  const changed: [string, readonly string[], string][] = [
    ["number", ENGLISH, "Its height is 95 metres."],
    ["number", ENGLISH, "Somebody paid 77 euros."],
    ["date", ENGLISH, "Construction ended in 1997."],
    ["date", ENGLISH, "Completion took place on 3 June 1998."],
    ["unit", ENGLISH, "Its height is 90 km."],
    ["unit", ENGLISH, "Height: 90 feet."],
    ["name", ENGLISH, "The blueprint came from the hand of Peter Smith."],
    ["negation", ENGLISH, "Construction was not completed."],
    ["negation", ENGLISH, "Guests can go up during the cold months."],
    ["number", CHINESE, "塔高95米。"],
    ["number", CHINESE, "有人付了77欧元。"],
    ["date", CHINESE, "工程于1997年完工。"],
    ["unit", CHINESE, "高度达90公里。"],
    ["name", CHINESE, "图纸出自李娜之手。"],
    ["negation", CHINESE, "冬天游客可以登塔。"],
  ];
  const supported: string[][] = [];
  for (const [kind, passage, answer] of changed) {
    for (const quote of [...passage, passage.join(" ")]) {
      const [verdict] = await checked(answer, passage.join(" "), quote);
      if (verdict === "supported") supported.push([kind, answer, quote]);
    }
  }
  deepEqual(supported, []);
});

Deno.test("a value or name of another sentence than the quoted ones supports nothing", async () => {
  const text = ENGLISH.join(" ");
  deepEqual(await checked("Construction ended in 2003.", text, ENGLISH[0]!), ["not_found", "coverage"]);
  deepEqual(await checked("Construction ended in 2003.", text, text), ["not_found", "coverage"]);
  const drawn = "The blueprint came from the hand of Maria Keller.";
  deepEqual(await checked(drawn, text, "designed by Anna Berger"), ["not_found", "coverage"]);
});

Deno.test("a model supports other words with the same values, names and negations", async () => {
  const text = ENGLISH.join(" "), 塔 = CHINESE.join("");
  const same: [string, string, string][] = [
    ["Its height is 90 metres.", text, ENGLISH[1]!],
    ["The blueprint came from the hand of Anna Berger.", text, "designed by Anna Berger"],
    ["In the cold months guests cannot go up.", text, ENGLISH[2]!],
    ["Building work was completed.", text, ENGLISH[0]!],
    ["工程于1998年完工。", 塔, CHINESE[0]!],
    [
      "Its architect is called Anna Berger.",
      `Tower Anna Berger\n${ENGLISH[0]} She designed it.`,
      "She designed it.",
    ],
  ];
  for (const [answer, passage, quote] of same) {
    deepEqual([answer, ...await checked(answer, passage, quote)], [answer, "supported", "model"]);
  }
});
