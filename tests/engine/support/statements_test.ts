import { deepEqual } from "node:assert/strict";
import { SupportChecker } from "#engine/support/mod.ts";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";

const table = loadTable();
const checker = new SupportChecker(table, new WordFinder(table));

/** The sentences that are checked, without their marks. */
function checked(answer: string): string[] {
  return checker.check(answer, ["Some passage."]).map(({ text }) => text);
}

Deno.test("headings, code, heads of tables, lists of sources and questions state nothing", () => {
  const answer = `# The bridge

Here is what I found:

- It was opened in 1932. [1]
- It has eight lanes [bridge.md:12-14].

| Part | Length |
|:-----|-------:|
| Deck | 1,149 m |

\`\`\`js
const length = 1149;
\`\`\`

Do you want to know more?

**Sources:** [1] bridge.md
`;
  deepEqual(checked(answer), [
    "It was opened in 1932. [1]",
    "It has eight lanes [bridge.md:12-14].",
    "Deck | 1,149 m |",
  ]);
});

Deno.test("code that does not end is code, and text after it that does is not", () => {
  deepEqual(checked("It has lanes.\n~~~~\nx = 1 lane\n~~~\ny = 2 lanes\n~~~~\nIt has arches."), [
    "It has lanes.",
    "It has arches.",
  ]);
  deepEqual(checked("It has lanes.\n```\nIt has arches."), ["It has lanes."]);
});

Deno.test("sentences that say what the documents do not say are no statements", () => {
  const gaps = [
    "The documents do not say when it was opened.",
    "The provided passages don't mention its length.",
    "I could not find the length in the provided documents.",
    "No information about the length was found in your files.",
    "None of the sources gives a date, they never state one.",
    "文档中没有提到通车时间。",
    "提供的资料未说明全长。",
    "未能在文档中找到相关信息。",
    "根据现有资料无法确定全长。",
    "上下文没有相关信息。",
  ];
  deepEqual(checked(gaps.join("\n")), []);
});

Deno.test("sentences that deny something else, or go on with a statement, are statements", () => {
  const statements = [
    "The bridge does not have a lift.",
    "The house was not built from new materials.",
    "The contract does not contain a penalty.",
    "The documents do not give its length, but it was opened in 1932.",
    "大桥没有电梯。",
    "文档没有给出全长，但大桥于1932年通车。",
  ];
  deepEqual(checked(statements.join("\n")), statements);
});

Deno.test("words that only name the source of a statement, and the address of a link, are not compared", () => {
  const passages = ["The bridge has eight lanes.", "这座桥有八条车道。"];
  const answers = [
    "According to the provided documents, the bridge has eight lanes.",
    "The [bridge](https://example.org/2099/kg.html) has eight lanes (notes/bridge 2.md:7).",
    "根据提供的文档，这座桥有八条车道。",
  ];
  deepEqual(answers.map((answer) => checker.check(answer, passages)[0]?.verdict), [
    "supported",
    "supported",
    "supported",
  ]);
});

Deno.test("a sentence without a word that says something is left out", () => {
  deepEqual(checked("It is. [1]\n是的。\n---\n***"), []);
});
