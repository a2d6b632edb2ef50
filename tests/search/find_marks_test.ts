import { deepEqual } from "node:assert/strict";
import { Tokenizer } from "../../lib/index/mod.ts";
import { findMarks } from "../../lib/search/find_marks.ts";

const tokenizer = new Tokenizer();

/** The marked parts of a text. */
function marked(text: string, terms: readonly string[], words: readonly string[] = []): string[] {
  const weights = (of: readonly string[]) => new Map(of.map((term) => [term, 1]));
  return findMarks(text, { terms: weights(terms), words: weights(words) }, tokenizer)
    .map(({ start, end }) => text.slice(start, end));
}

Deno.test("findMarks() finds every form of a word, and identifiers that contain it", () => {
  deepEqual(marked("Running dogs run: ring.run(), getRunTime, rerun, RUN.", ["run"]), [
    "Running",
    "run",
    "run",
    "getRunTime",
    "RUN",
  ]);
  deepEqual(marked("Café, ＣＡＦＥ and C++ 1.13 don't", ["cafe", "c++", "1.13", "don't"]), [
    "Café",
    "ＣＡＦＥ",
    "C++",
    "1.13",
    "don't",
  ]);
});

Deno.test("findMarks() finds pairs of characters, also in traditional characters and over a line break", () => {
  deepEqual(marked("長江大桥，长\n江。长 江", ["长江"]), ["長江", "长\n江"]);
  deepEqual(marked("猫和狗", ["猫"]), ["猫"]);
});

Deno.test("findMarks() finds whole words of scripts without spaces", () => {
  deepEqual(marked("移動硬盤和硬件", [], ["移动硬盘"]), ["移動硬盤"]);
});

Deno.test("findMarks() returns offsets in UTF-16 units", () => {
  deepEqual(findMarks("📄 tea", { terms: new Map([["tea", 2]]), words: new Map() }, tokenizer), [
    { start: 3, end: 6, term: "tea", weight: 2 },
  ]);
});
