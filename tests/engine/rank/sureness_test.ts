import { equal, ok } from "node:assert/strict";
import { chineseWordings, englishWordings } from "#engine/rank/translation.ts";
import { meaning } from "./_collection.ts";

const { table } = meaning;
const inChinese = (term: string, word: string) =>
  chineseWordings(term, table).find((each) => each.word === word)!.sureness;
const inEnglish = (word: string, term: string) =>
  englishWordings(table.find(word), table).find((each) => each.word === term)!.sureness;

Deno.test("a translation that is the first sense in both directions is sure", () => {
  equal(inChinese("mail", "邮件"), 1);
  equal(inEnglish("邮件", "mail"), 1);
});

Deno.test("a translation is less sure if it is a late sense of the word, or the word a late sense of it", () => {
  ok(inChinese("mail", "消耗") < 0.5, "消耗 means to consume; (of armour) mail comes last");
  ok(
    inChinese("spring", "跳") < inChinese("spring", "春天"),
    "spring means the season before it means to jump",
  );
});

Deno.test("one word of a longer gloss is not sure", () => {
  // 抬头: to raise one's head, to look up
  ok(inEnglish("抬头", "look") <= 0.2);
});

Deno.test("a phrase is as sure as the dictionary ranks it", () => {
  equal(inChinese("mobil phone", "手机"), 1);
});
