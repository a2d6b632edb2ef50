import { deepEqual, equal, ok } from "node:assert/strict";
import { summaryOf, wordsOf } from "#library/search/mod.ts";

const flat = (words: Iterable<string>) => new Map(Array.from(words, (word) => [word, 1]));

Deno.test("the summary has the central sentences in the order of the text, and the most frequent words as tags", () => {
  const text = [
    "# Coffee machines",
    "",
    "A coffee machine must be descaled every month. The weather was fine on Sunday.",
    "",
    "- Descale the coffee machine with citric acid.",
    "- Rinse the coffee machine with clean water afterwards.",
    "",
    "```",
    "machine machine machine machine();",
    "```",
    "",
    "My aunt visited us in July with her dog. Birds sang outside. We ate cake together.",
  ].join("\n");
  const words = wordsOf({ text });
  const { sentences, tags } = summaryOf(words, flat(words.counts.keys()));
  deepEqual(sentences.slice(0, 3), [
    "A coffee machine must be descaled every month.",
    "Descale the coffee machine with citric acid.",
    "Rinse the coffee machine with clean water afterwards.",
  ]);
  deepEqual(tags, ["coffee", "machine"]);
});

Deno.test("Chinese sentences end at their marks, and Chinese words are tags", () => {
  const text =
    "咖啡机每个月都要除垢。\n用柠檬酸给咖啡机除垢最方便。今天天气很好。\n除垢之后要用清水冲洗咖啡机。";
  const words = wordsOf({ text });
  const { sentences, tags } = summaryOf(words, flat(words.counts.keys()));
  ok(sentences.includes("用柠檬酸给咖啡机除垢最方便。"));
  ok(tags.includes("咖啡机") || tags.includes("咖啡"));
});

Deno.test("two sentences that say the same are one sentence of the summary", () => {
  const text = "Descale the machine with acid. Descale the machine with acid! The birds sang in our garden.";
  const words = wordsOf({ text });
  equal(
    summaryOf(words, flat(words.counts.keys())).sentences.filter((one) => one.startsWith("Descale")).length,
    1,
  );
});

Deno.test("a text without sentences has an empty summary", () => {
  deepEqual(summaryOf(wordsOf({ text: "# Only a heading\n\n| a | b |\n" }), new Map()), {
    sentences: [],
    tags: [],
  });
});
