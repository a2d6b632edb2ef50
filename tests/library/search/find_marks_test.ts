import { deepEqual } from "node:assert/strict";
import { Tokenizer, UNSPACED } from "#engine/index/mod.ts";
import { loadTable } from "#models/embedding/mod.ts";
import { type Mark, type MarkedWords, MarkFinder } from "#library/search/find_marks.ts";

const finder = new MarkFinder(new Tokenizer());

/** The marked parts of a text. */
function marked(text: string, terms: readonly string[], words: readonly string[] = []): string[] {
  const weights = (of: readonly string[]) => new Map(of.map((term) => [term, 1]));
  return finder.find(text, { terms: weights(terms), words: weights(words) })
    .map(({ start, end }) => text.slice(start, end));
}

Deno.test("MarkFinder finds every form of a word, and identifiers that contain it", () => {
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

Deno.test("MarkFinder finds pairs of characters, also in traditional characters and over a line break", () => {
  deepEqual(marked("長江大桥，长\n江。长 江", ["长江"]), ["長江", "长\n江"]);
  deepEqual(marked("猫和狗", ["猫"]), ["猫"]);
});

Deno.test("MarkFinder finds whole words of scripts without spaces", () => {
  deepEqual(marked("移動硬盤和硬件", [], ["移动硬盘"]), ["移動硬盤"]);
});

Deno.test("MarkFinder returns offsets in UTF-16 units", () => {
  deepEqual(finder.find("📄 tea", { terms: new Map([["tea", 2]]), words: new Map() }), [
    { start: 3, end: 6, term: "tea", weight: 2 },
  ]);
});

Deno.test("MarkFinder makes the terms of a word once, and none of plain words that begin otherwise", () => {
  const asked: string[] = [];
  class Counted extends Tokenizer {
    override tokenize(text: string): string[] {
      asked.push(text);
      return super.tokenize(text);
    }
  }
  const counted = new MarkFinder(new Counted());
  const wanted = { terms: new Map([["run", 1], ["长江", 1]]), words: new Map() };
  for (const text of ["Runners run a race.", "run, race, so, getRunTime", "長江大桥"]) {
    counted.find(text, wanted);
  }
  deepEqual(asked, ["Runners", "run", "getRunTime", "長", "江", "大", "桥"]);
});

Deno.test("MarkFinder finds each English word of the table, with endings, by its term", () => {
  const tokenizer = new Tokenizer();
  const { words, englishCount } = loadTable();
  const missed: string[] = [];
  const endings = ["", "s", "ed", "ing", "ies", "ied", "ly", "'s"];
  for (let id = 0; id < englishCount; id += 4) {
    const word = words.word(id) + endings[id / 4 % endings.length]!;
    const terms = new Map(tokenizer.tokenize(word).map((term) => [term, 1]));
    if (finder.find(word, { terms, words: new Map() }).length === 0) missed.push(word);
  }
  deepEqual(missed, []);
});

Deno.test("MarkFinder finds words whose stem has another second letter, and words with a stem of one letter", () => {
  deepEqual(marked("dying DYING lying tying ties, a's and A", ["die"]), ["dying", "DYING"]);
  deepEqual(marked("a's and A", ["a"]), ["a's", "A"]);
});

/** The marks of terms by a plain version: one regular expression for all tokens, and the terms of every token. */
function plainMarks(text: string, terms: MarkedWords["terms"], tokenizer: Tokenizer): Mark[] {
  const inWord = `[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]`;
  const token = new RegExp(
    `[${UNSPACED}]|${inWord}+(?:(?:['’]|(?<=\\p{N})\\.(?=\\p{N}))${inWord}+)*(?:\\+\\+|#)?`,
    "gv",
  );
  const marks: Mark[] = [];
  const add = (start: number, end: number, found: readonly string[]) => {
    const [best] = found.filter((term) => terms.has(term)).sort((a, b) => terms.get(b)! - terms.get(a)!);
    if (best !== undefined) marks.push({ start, end, term: best, weight: terms.get(best)! });
  };
  let before: { term: string; start: number; end: number } | undefined;
  for (const { 0: word, index: start } of text.matchAll(token)) {
    const end = start + word.length, own = tokenizer.tokenize(word);
    add(start, end, own);
    if (!new RegExp(`^[${UNSPACED}]`, "u").test(word)) before = undefined;
    else {
      const isJoined = before && /^(?:[ \t]*\r?\n[ \t]*)?$/.test(text.slice(before.end, start));
      if (isJoined) add(before!.start, end, [before!.term + own.join("")]);
      before = { term: own.join(""), start, end };
    }
  }
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}

Deno.test("MarkFinder finds what a plain version finds in texts of all kinds of characters", () => {
  const pieces = [
    ..."abyTYR_01'’.+#- \n，。éßＡ長江大桥ー㐀龥か한ก😀\u0301",
    "run",
    "Running",
    "RUN",
    "C++",
    "1.5",
    "don't",
  ];
  const tokenizer = new Tokenizer();
  const words = ["run", "c++", "1.5", "don't", "a", "ay", "長江", "大", "江大", "か", "Ty_0", "𠀀龥"];
  const terms = new Map(
    words.flatMap((word) => tokenizer.tokenize(word)).map((term, i) => [term, 1 + i / 8]),
  );
  let state = 1;
  const next = (below: number) => (state = (state * 48271) % 0x7fffffff) % below;
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join("");
    deepEqual(finder.find(text, { terms, words: new Map() }), plainMarks(text, terms, tokenizer), text);
  }
});
