import { deepEqual, equal } from "node:assert/strict";
import { bestRow } from "#library/search/best_row.ts";
import { Tokenizer } from "#engine/index/mod.ts";

const tokenizer = new Tokenizer();
const HEAD = "| country | income | since |\n| --- | --- | --- |\n";
const ROWS = [
  "Peru | 11,903 | 18 Jan 2024",
  "Chile | 22,465 | 2 Feb 2024",
  "Cuba | 21,291 |",
  "秘鲁 | 5 | x",
];
const table = (rows: readonly string[]) => HEAD + rows.map((row) => `| ${row} |`).join("\n");

/** The best row for the words of a question, which weigh the same. */
const rowFor = (question: string, text = table(ROWS)) =>
  bestRow(
    text,
    9,
    { terms: new Map(tokenizer.queryTerms(question).map(({ term }) => [term, 1])), words: new Map() },
    tokenizer,
  );

Deno.test("the row with most of the question's words is named, under the names of its columns", () => {
  deepEqual(rowFor("income of Chile"), {
    line: 7,
    text: "country: Chile; income: 22,465; since: 2 Feb 2024",
  });
  deepEqual(rowFor("秘鲁")?.line, 9);
});

Deno.test("numbers and dates in another form are found", () => {
  deepEqual([rowFor("22465")?.line, rowFor("2024-01-18")?.line], [7, 6]);
});

Deno.test("no row is named if several are alike, none has a word, or the text has few rows", () => {
  equal(rowFor("2024"), undefined);
  equal(rowFor("income"), undefined);
  equal(rowFor("Chile", table(ROWS.slice(0, 3))), undefined);
  equal(rowFor("Chile", "Chile\n".repeat(9)), undefined);
});

Deno.test("a head of two rows gives the names, and long cells are shortened", () => {
  const text = "| Firm | 2023 | 2023 |\n| --- | --- | --- |\n| Firm | Q1 | Q2 |\n" +
    ["a", "b", "c", `d${"x".repeat(200)}`].map((name, i) => `| ${name} | ${i} | ${i * 7} |`).join("\n");
  equal(rowFor("b", text)?.text, "Firm: b; 2023 Q1: 1; 2023 Q2: 7");
  equal(rowFor("21", text)?.text, `Firm: d${"x".repeat(119)}…; 2023 Q1: 3; 2023 Q2: 21`);
});
