import { deepEqual } from "node:assert/strict";
import { parseEcdict } from "../../scripts/embedding/ecdict.ts";
import { chineseToEnglish, englishToChinese } from "../../scripts/embedding/translations.ts";

const CSV = `word,phonetic,definition,translation,pos,collins,oxford,tag,bnc,frq,exchange,detail,audio
bank,bæŋk,,"n. 銀行, 堤(河边), 岸\\n[医] 库",,1,1,zk,406,663,,,
fast,,,"a. 快速的；迅速的\\n[网络] 斋戒",,,,,0,700,,,
interest rate,,,利率\\n[经] 利率,,,,,0,0,,,
zyzzyva,,,n. 象鼻虫,,,,,0,0,,,
café,,,咖啡馆,,,,,0,5000,,,
ISBN,,,[计] ISBN 号码表示法,,,,,0,0,,,
`;
const fold = (word: string) => word.replaceAll("銀", "银");
const ENTRIES = parseEcdict(CSV, fold);
const CEDICT = new Map([
  ["银行", [{ traditional: "銀行", simplified: "银行", pinyin: "yin2 hang2", senses: ["bank"] }]],
  ["岸", [{ traditional: "岸", simplified: "岸", pinyin: "an4", senses: ["shore", "bank"] }]],
  ["快速", [{ traditional: "快速", simplified: "快速", pinyin: "kuai4 su4", senses: ["rapid"] }]],
  ["利率", [{ traditional: "利率", simplified: "利率", pinyin: "li4 lü4", senses: ["interest rates"] }]],
]);
const tokenize = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

Deno.test("parseEcdict() keeps Chinese words without remarks, subjects, endings and lines from the web", () => {
  deepEqual(ENTRIES, [
    {
      phrase: "bank",
      rank: 406,
      chinese: [
        { word: "银行", place: 0 },
        { word: "堤", place: 1 },
        { word: "岸", place: 2 },
        { word: "库", place: 0 },
      ],
    },
    { phrase: "fast", rank: 700, chinese: [{ word: "快速", place: 0 }, { word: "迅速", place: 1 }] },
    { phrase: "interest rate", rank: 0, chinese: [{ word: "利率", place: 0 }, { word: "利率", place: 0 }] },
    { phrase: "zyzzyva", rank: 0, chinese: [{ word: "象鼻虫", place: 0 }] },
    { phrase: "ISBN", rank: 0, chinese: [{ word: "号码表示法", place: 0 }] },
  ]);
});

Deno.test("English terms are translated by both dictionaries, and rare single words by CC-CEDICT only", () => {
  const hasId = (word: string) => CEDICT.has(word) || word === "象鼻虫";
  const translated = englishToChinese(CEDICT, ENTRIES, new Map([["银行", 99], ["岸", 99]]), tokenize, hasId);
  const rounded = [...translated].map(([term, words]) =>
    [term, ...words.map(({ word, score }) => `${word} ${score.toFixed(2)}`)] as const
  );
  // 岸 has half the score of a longer word. It has (1 / 1.3 + 1 / 1.6) / 2 of the sum of both dictionaries for 银行.
  deepEqual(rounded, [
    ["bank", "银行 1.00", "岸 0.35"],
    ["shore", "岸 1.00"],
    ["rapid", "快速 1.00"],
    ["interest rates", "利率 1.00"],
    ["fast", "快速 1.00"],
    ["interest rate", "利率 1.00"],
  ]);
});

Deno.test("Chinese words are translated by both dictionaries, phrases by CC-CEDICT only", () => {
  const translated = chineseToEnglish(CEDICT, ENTRIES, tokenize);
  deepEqual([...translated].map(([word, terms]) => [word, ...terms.map(({ word }) => word)]), [
    ["银行", "bank"],
    ["岸", "bank", "shore"],
    ["快速", "rapid", "fast"],
    ["利率", "interest", "rates"],
  ]);
});
