import assert from "node:assert/strict";
import { LANGUAGE_CODES, languageOf } from "#engine/index/text/tokenizer.ts";

const CASES: [keyof typeof LANGUAGE_CODES, string][] = [
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

for (const [language, text] of CASES) {
  Deno.test(`languageOf() returns ${language} for "${text}"`, () => {
    assert.equal(languageOf(text), LANGUAGE_CODES[language]);
  });
}
