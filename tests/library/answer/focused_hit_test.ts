import { deepEqual, equal } from "node:assert/strict";
import { fittedSearch, searchAnswer } from "#library/answer/mod.ts";
import type { Hit, Mark } from "#library/search/mod.ts";
import { hit } from "../../server/_session.ts";

/** The marks of words in a text. All weigh the same. */
function marksOf(text: string, words: readonly string[]): Mark[] {
  return words.flatMap((term) =>
    Array.from(
      text.matchAll(new RegExp(`(?<![\\w])${term}(?![\\w])`, "g")),
      ({ index }) => ({ start: index, end: index + term.length, term, weight: 1 }),
    )
  ).sort((a, b) => a.start - b.start);
}

/** The hits that an answer shows of these, by default, or with a number of tokens or of UTF-16 units that the call names. */
function shown(
  hits: readonly Hit[],
  { maxTokens = 8000, ...options }: { maxTokens?: number; focusFrom?: number; snippetChars?: number } = {
    focusFrom: 0,
  },
) {
  return fittedSearch({ hits, seconds: 0, notices: [] }, {
    language: "en",
    limit: { shape: "structured", maxTokens },
    ...options,
    cursorAfter: () => undefined,
    make: searchAnswer,
  }).answer.data.match_content;
}

const DAYS = Array.from({ length: 28 }, (_, i) => `2024-01-${String(i + 1).padStart(2, "0")}`);
const HEAD = ["| date | product | units | revenue |", "| --- | --- | --- | --- |"];
const ROWS = DAYS.flatMap((day, i) =>
  ["Widget A", "Widget B"].map((product, j) => `| ${day} | ${product} | ${i + 1} | ${100 + 2 * i + j}.00 |`)
);

Deno.test("a table is cut to its header and the row that was asked for, and cites the row's line", () => {
  const content = [...HEAD, ...ROWS].join("\n");
  const marks = marksOf(content, ["Widget", "B", "2024", "01", "18", "revenue"]);
  // The header is repeated before the rows of lines 12 to 67.
  const [one] = shown([hit({ content, marks, startLine: 12, endLine: 67, totalLines: 90 })]);
  equal(one!.content.includes("| 2024-01-18 | Widget B | 18 | 135.00 |"), true);
  deepEqual(one!.content.split("\n").slice(0, 3), [...HEAD, "…"]);
  equal(one!.content.split("\n").length < 12, true);
  const line = 12 + ROWS.indexOf("| 2024-01-18 | Widget B | 18 | 135.00 |");
  equal(one!.start_line <= line && line <= one!.end_line, true);
  equal(one!.truncated, true);
});

Deno.test("the row that was asked for stays with a small max_tokens or snippet_chars, and where both cut", () => {
  const content = [...HEAD, ...ROWS].join("\n");
  const marks = marksOf(content, ["Widget", "B", "2024", "01", "18", "revenue"]);
  for (
    const options of [
      { maxTokens: 300 },
      { maxTokens: 1000 },
      { snippetChars: 200 },
      { maxTokens: 300, focusFrom: 0 },
    ]
  ) {
    const hits = [0, 1, 2].map(() => hit({ content, marks, startLine: 12, endLine: 67, totalLines: 90 }));
    const [one] = shown(hits, options);
    equal(one!.content.includes("| 2024-01-18 | Widget B | 18 | 135.00 |"), true, JSON.stringify(options));
    deepEqual(one!.content.split("\n").slice(0, 2), HEAD, JSON.stringify(options));
  }
});

Deno.test("words of the question that are in the header of a table choose no rows, and leave no passage empty", () => {
  const content = [...HEAD, ...ROWS].join("\n");
  const one = (words: readonly string[]) =>
    shown([hit({ content, marks: marksOf(content, words), startLine: 12, endLine: 67 })])[0]!.content;
  equal(one(["units", "revenue", "18"]).includes("| 2024-01-18 | Widget A | 18 | 134.00 |"), true);
  equal(one(["units", "revenue"]).startsWith(HEAD.join("\n")), true);
  equal(one(["units", "revenue"]).length > 1000, true);
});

Deno.test("a table without a row of the question, and one of few rows, are whole", () => {
  for (
    const content of [[...HEAD, ...ROWS.slice(0, 20)].join("\n"), [...HEAD, ...ROWS.slice(0, 5)].join("\n")]
  ) {
    const marks = content.length < 400 ? marksOf(content, ["18"]) : [];
    deepEqual(shown([hit({ content, marks })]).map(({ content }) => content), [content]);
  }
});

Deno.test("each of several rows that match equally is shown", () => {
  const content = [...HEAD, ...ROWS].join("\n");
  const [one] = shown([hit({ content, marks: marksOf(content, ["2024-01-03", "2024-01-20"]) })]);
  deepEqual(one!.content.split("\n"), [
    ...HEAD,
    "…",
    ...ROWS.slice(4, 6),
    "…",
    ...ROWS.slice(38, 40),
    "…",
  ]);
});

Deno.test("a long passage after the first is cut to whole sentences around its marks, in English and Chinese", () => {
  for (
    const [fill, answer, word] of [
      ["The members met in the small hall and spoke. ", "The roof cost 18,430 euros. ", "roof"],
      ["会议逐项讨论了上次留下的问题，并记录了意见。", "屋顶维修花费一万八千元。", "屋顶"],
    ] as const
  ) {
    const content = `${fill.repeat(25)}${answer}${fill.repeat(25)}`;
    const marks = [{
      start: content.indexOf(word),
      end: content.indexOf(word) + word.length,
      term: word,
      weight: 3,
    }];
    const [, second] = shown([hit(), hit({ content, marks, degree: "medium" })]);
    equal(second!.content.includes(answer.trim()), true);
    equal(second!.content.length < content.length / 3, true);
    // Whole sentences between the cuts.
    equal(content.includes(second!.content.replaceAll("…", "")), true);
    equal(/^…(The |会议|屋顶)/.test(second!.content) && /[.。]…$/.test(second!.content), true);
  }
});

Deno.test("a short passage is shown whole", () => {
  const hits = [hit(), hit({ content: "Tea." })];
  deepEqual(shown(hits).map(({ content, truncated }) => [content, truncated]), [
    ["Green tea wants 80 °C.", undefined],
    ["Tea.", undefined],
  ]);
});
