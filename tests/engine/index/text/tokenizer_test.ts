import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import {
  LANGUAGE_CODES,
  languageOf,
  MOST_TERMS,
  Tokenizer,
  type TokenSink,
  wordTerms,
} from "#engine/index/text/tokenizer.ts";
import { Vocabulary, WordBatch } from "#engine/index/text/vocabulary.ts";
import { fuzz } from "../../../_fuzz.ts";

const tokenizer = new Tokenizer();

/** Texts and their terms, separated by spaces. */
const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "English words are stemmed, in lower case, without accents": {
    "The runners were RUNNING, quickly; and they ran.": "the runner were run quick and they ran",
    "don't can’t user's users' O'Neill": "don't can't user user o'neil",
    "café naïve Ångström résumés": "cafe naiv angstrom resum",
    "state-of-the-art e-mail": "state of the art e mail",
    "a I x": "a i x",
  },
  "identifiers are found whole and by their parts": {
    "getUserName": "getusernam get user name",
    "user_id": "user_id user id",
    "HTTPServer XMLHttpRequest": "httpserver http server xmlhttprequest xml http request",
    "snake_case_names __init__": "snake_case_names snake case name init",
    "utf8 node16 h2o": "utf8 utf 8 node16 node 16 h2o h 2 o",
    "C++ C# F# a+b x#1 c+": "c++ c# f# a b x 1 c",
    "foo.bar obj.method()": "foo bar obj method",
  },
  "numbers with points are found whole and by their parts": {
    "1.13": "1.13 1 13",
    "v2.5.1 3.": "v2.5.1 v 2 5 1 3",
    "1,000 50% 2026-01-02 #42": "1 000 50 2026 01 02 42",
    "0xFF": "0xff 0 x ff",
  },
  "Chinese is unigrams and bigrams": {
    "中": "中",
    "数据库": "数 据 数据 库 据库",
    "全文检索，快。": "全 文 全文 检 文检 索 检索 快",
    "用Python写": "用 python 写",
    "第3章": "第 3 章",
    "々〇": "々 〇 々〇",
    "𠮷野家": "𠮷 野 𠮷野 家 野家",
  },
  "wrapped Chinese prose has bigrams across the line break": {
    "数\n据": "数 据 数据",
    "数\r\n  据": "数 据 数据",
    "数\n\n据": "数 据",
    "数\n\t\n据": "数 据",
    "数 据": "数 据",
    "数\nabc": "数 abc",
    "数\n- 据": "数 据",
  },
  "full-width and half-width forms have the same terms": {
    "ＡＢＣ１２３": "abc123 abc 123",
    "ｶﾞｷﾞ": "ガ ギ ガギ",
    "ﬁle ②": "file 2",
    "㈱": "株",
    "中　文": "中 文",
  },
  "kana, Hangul, Thai and Bopomofo are unigrams and bigrams": {
    "かなカナー": "か な かな カ なカ ナ カナ ー ナー",
    "한국어 검색": "한 국 한국 어 국어 검 색 검색",
    "ไทย": "ไ ท ไท ย ทย",
    "ㄅㄆ": "ㄅ ㄆ ㄅㄆ",
  },
  "Cyrillic, Greek, Arabic and Devanagari words are terms in lower case": {
    "Привет МИР": "привет мир",
    "Йод": "йод",
    "Ελλάδα": "ελλάδα",
    "مرحبا بالعالم": "مرحبا بالعالم",
    "हिन्दी": "हिन्दी",
  },
  "each emoji is a term, and its modifiers are skipped": {
    "🎉": "🎉",
    "ok 👍🏽!": "ok 👍",
    "⚠️ warning": "warn",
    "👨‍👩‍👧": "👨 👩 👧",
    "🎉🎊": "🎉 🎊 🎉🎊",
  },
  "white space, punctuation and control characters have no terms": {
    "": "",
    " \t\r\n": "",
    "…—!?。，「」《》$€©\u0000\u0007\u200b\ufeff": "",
    "\ud800 \udc00 x\ud83d": "x",
    "\ud83d\ud83d\ude00": "😀",
  },
};

for (const [name, texts] of Object.entries(CASES)) {
  Deno.test(name, () => {
    const found = Object.fromEntries(
      Object.keys(texts).map((text) => [text, tokenizer.tokenize(text).join(" ")]),
    );
    deepEqual(found, texts);
  });
}

Deno.test("a date or number of a question has one term for all forms, beside the words as written", () => {
  const terms = (text: string) => new Tokenizer().queryTerms(text).map(({ term }) => term).join(" ");
  equal(terms("18 Jan 2024"), "18 jan 2024 2024-01-18");
  equal(terms("2024年1月18日"), "2024 年 1 月 18 日 2024-01-18");
  equal(terms("1,234.50"), "1 234.50 234 50 1234");
  equal(terms("１，２３４"), "1 234 1234");
});

Deno.test("languageOf() returns the language by the main script of a text", () => {
  const texts: [keyof typeof LANGUAGE_CODES, string][] = [
    ["en", "The river runs through the city."],
    ["zh", "长江流经这座城市。"],
    ["zh", "長江流經這座城市。"],
    ["zh", "用 npm 安装 muxue_rag 之后，先建立索引再检索。"],
    ["en", "The word 长江 means Yangtze River in English."],
    ["ja", "川は町を流れています。"],
    ["ko", "강은 도시를 흐른다."],
    ["other", "3.14 + 2.71"],
    ["other", ""],
    ["en", "Größe über alles, naïve café"],
  ];
  for (const [language, text] of texts) equal(languageOf(text), LANGUAGE_CODES[language], text);
});

Deno.test("scanUtf8() finds the tokens, values and language of a text that scan() and languageOf() find", () => {
  const tokensOf = (scan: (sink: TokenSink) => void) => {
    const tokens: unknown[] = [];
    scan({
      word: (units, start, end, hash) =>
        tokens.push(String.fromCharCode(...units.subarray(start, end)), hash),
      gram: (character, previous) => tokens.push([character, previous]),
      value: (term) => tokens.push({ term }),
    });
    return tokens;
  };
  const parts = [
    ..."Running|getUserName|O’Neill|C++|1,234.5 |18 Jan 2024".split("|"),
    ..."２０２４年１月１８日 二〇二四年一月十八日 長江 か\u3099 ｶﾞ \u1100\u1161\u11a8 한국어".split(" "),
    ..."ไทย Привет عربي ﷺ ㎏ e\u0323\u0301 𠮷 丽".split(" "),
    ...["😀", "👩‍👧", "⚠️", "𝐀", "\0", "\ufeff", "\ufffd", "\ud800", "\udc00", " ", "\n", "\r\n\t", "-", "，"],
  ];
  const check = (text: string) => {
    let language: number | undefined;
    const tokens = tokensOf((sink) => language = tokenizer.scanUtf8(new TextEncoder().encode(text), sink));
    const label = JSON.stringify(text.slice(0, 200));
    deepEqual(tokens, tokensOf((sink) => tokenizer.scan(text, sink)), label);
    equal(language, languageOf(text), label);
  };
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(fc.property(texts, check), fuzz(2000));
  for (const part of ["長江 ", "Ab ", "e\u0301 "]) check(part.repeat(2 ** 20 / part.length));
});

Deno.test("a megabyte of one letter is one term of 64 letters; of one Chinese character, two terms", () => {
  deepEqual(tokenizer.tokenize("a".repeat(1 << 20)), ["a".repeat(64)]);
  equal(new Set(tokenizer.tokenize("中".repeat(1 << 18))).size, 2);
  equal(tokenizer.tokenize("_".repeat(1 << 20)).length, 1);
  equal(tokenizer.tokenize("aB".repeat(1 << 19)).length, 1 + new Set(["a", "ba", "b"]).size);
});

Deno.test("a long word is not cut inside a surrogate pair", () => {
  const gothic = "a" + "\u{10330}".repeat(40);
  for (const term of wordTerms(gothic)) ok(term.isWellFormed(), JSON.stringify(term));
});

Deno.test("queryTerms() returns distinct terms, and single characters with half the weight beside bigrams", () => {
  const weights = (query: string) =>
    tokenizer.queryTerms(query).map(({ term, weight }) => `${term}:${weight}`).join(" ");
  equal(weights("run running RUNS fast"), "run:1 fast:1");
  equal(weights("库"), "库:1");
  equal(weights("数据 run"), "数:0.5 据:0.5 数据:1 run:1");
  equal(weights("书，人"), "书:1 人:1");
  equal(weights("!!"), "");
});

const anyText = fc.string({ unit: "binary", maxLength: 40 });

Deno.test("terms are never empty or ill-formed, and queryTerms() agrees with tokenize()", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      ),
      (text) => {
        const terms = tokenizer.tokenize(text);
        for (const term of terms) ok(term !== "" && term.isWellFormed(), JSON.stringify(term));
        deepEqual(tokenizer.queryTerms(text).map(({ term }) => term), [...new Set(terms)]);
      },
    ),
    fuzz(500),
  );
});

Deno.test("Vocabulary has the terms of a text, and gives them the same ids when they were added before", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(anyText, fc.constantFrom("数据", "𠮷野", "user_id", "🎉🎊")), { maxLength: 6 }),
      (texts) => {
        const ids = (vocabulary: Vocabulary) => {
          const all: number[] = [];
          const words = new WordBatch();
          const wordsEnd = () => {
            const found = new Uint32Array(words.length * MOST_TERMS);
            all.push(...found.subarray(0, vocabulary.ofWords(words, found, 0)));
          };
          for (const text of texts) {
            tokenizer.scan(text, {
              word: (units, start, end, hash) => void words.add(units, start, end, hash),
              gram(character, previous) {
                wordsEnd();
                all.push(vocabulary.ofGram(character, 0));
                if (previous !== 0) all.push(vocabulary.ofGram(previous, character));
              },
              wordsEnd,
            });
          }
          return all;
        };
        const vocabulary = new Vocabulary();
        const found = ids(vocabulary);
        deepEqual(
          found.map((id) => vocabulary.termOf(id)),
          texts.flatMap((text) => tokenizer.tokenize(text)),
        );
        const restored = new Vocabulary();
        for (let id = 0; id < vocabulary.size; id++) restored.idOf(vocabulary.termOf(id));
        deepEqual(ids(restored), found);
        equal(restored.size, vocabulary.size);
      },
    ),
  );
});
