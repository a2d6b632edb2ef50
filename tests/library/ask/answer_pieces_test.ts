import { deepEqual, equal } from "node:assert/strict";
import { AnswerPieces } from "../../../lib/library/ask/answer_pieces.ts";

/** The pieces of a text that arrives in parts of some length; `|` separates them, and `#` marks code. */
function pieces(text: string, length = 1): string {
  const found = new AnswerPieces(20_000);
  const made = [];
  for (let at = 0; at < text.length; at += length) made.push(...found.add(text.slice(at, at + length)));
  return [...made, ...found.end()].map(({ text, isCode }) => `${isCode ? "#" : ""}${text}`).join("|");
}

/** The text with `|` where pieces begin must not depend on the parts. */
function same(expected: string): void {
  const text = expected.replaceAll("|", "").replaceAll("#`", "`").replaceAll("#x", "x");
  for (const length of [1, 2, 5, 1000]) equal(pieces(text, length), expected);
}

Deno.test("a sentence is complete when the next one begins, and a citation behind it belongs to it", () => {
  same("The bridge is 3.2 km long [1]. |It opened in 2019.[2] |Mr. Li built it.");
  same("桥长 3.2 公里。[1][2]|2019 年建成【3】。|由李先生设计。");
  const found = new AnswerPieces(20_000);
  deepEqual(found.add("One. [1"), []);
  deepEqual(found.add("] Two").map(({ text }) => text), ["One. [1] "]);
});

Deno.test("line ends and marks of lists stay with the sentence behind them", () => {
  same("# Bridges\n|\n|- One. |And two.\n|- Three.\n");
});

Deno.test("a block of code is given line by line", () => {
  same("Run this:\n|#```sh\n|#x. y. z\n|#```\n|Done.");
});

Deno.test("no piece ends within a link, a tag, an address or code", () => {
  same("See [the page. Now](http://e.test/a?b=c. d) there. |Next.");
  same("Go to https://e.test/?q=1.2!x now. |Next.");
  same("An <img alt='One. Two' src=x> here. |Next.");
  same("Type `a. b. c` now. |Next.");
});

Deno.test("thoughts before an answer, and its own list of sources, are left out", () => {
  equal(pieces("<think>It may be. Or not.</think>\n\nYes. No."), "Yes. |No.");
  equal(pieces("<think>It never ends"), "");
  equal(pieces("Yes.\n\nSources:\n[1] a.md\n- [2] b.md\n\nBye."), "Yes.\n|\n|Bye.");
  equal(pieces("是。\n来源：\n[1] 甲.md\n"), "是。\n");
});

Deno.test("an answer ends after the last line that fits into its greatest length", () => {
  const found = new AnswerPieces(10);
  deepEqual([...found.add("One.\nTwo.\nThree.\n"), ...found.end()].map(({ text }) => text), [
    "One.\n",
    "Two.\n",
  ]);
  equal(found.isCut, true);
});

Deno.test("a long line, and marks that open many constructs, take time in proportion to their length", () => {
  for (const mark of ["[", "<a", "`", "http://", "(", "a. ", "[1] ", "![a]("]) {
    const found = new AnswerPieces(20_000);
    for (let i = 0; i < 5000; i++) found.add(mark);
    found.end();
  }
});
