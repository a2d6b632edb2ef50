import { deepEqual, equal, ok } from "node:assert/strict";
import { Segments } from "#engine/segments.ts";
import { askedWords, queryWords } from "#engine/rank/query_words.ts";
import { chineseWordings, englishWordings, translate } from "#engine/rank/translation.ts";
import { indexOf, meaning } from "./_collection.ts";

const { table, tokenizer } = meaning;

/** Returns for each word of the question the number of texts that contain its translations. */
async function groupsOf(text: string, texts: readonly string[]): Promise<number[] | undefined> {
  using index = await indexOf(Object.fromEntries(texts.map((text, i) => [`${i}.md`, text])));
  const terms = tokenizer.queryTerms(text);
  const segments = new Segments([index]);
  const asked = askedWords(text, terms, meaning);
  const weighed = queryWords(asked, segments, meaning);
  const translated = await translate(text, terms, asked, weighed, segments, meaning);
  return translated?.frequencies.slice();
}

Deno.test("each word of the question is a group of its translations", async () => {
  deepEqual(await groupsOf("river bridge", ["这座桥梁很长。", "桥梁横跨这条河流。", "天气很好。"]), [1, 2]);
  deepEqual(await groupsOf("河流上的桥梁", ["A bridge, a very long one.", "The river is wide."]), [1, 1]);
});

Deno.test("a question is not translated for a collection in its language", async () => {
  equal(await groupsOf("river bridge", ["A bridge across the river."]), undefined);
  equal(await groupsOf("大桥", ["这座大桥很长。"]), undefined);
});

Deno.test("texts in the question's language do not count, even if they contain the translation", async () => {
  const english = `A text in English that quotes 桥梁 and goes on for long enough to be English. `.repeat(3);
  deepEqual(await groupsOf("bridge", ["这座桥梁很长。", english]), [1]);
});

Deno.test("a phrase replaces its words, unless no text contains its translation", async () => {
  ok(table.toChinese("mobil phone").some(({ word }) => word === "手机"));
  deepEqual(await groupsOf("mobile phone", ["我的手机坏了。"]), [1]);
  const words = await groupsOf("mobile phone", ["流动图书馆。", "请致电我们。"]);
  equal(words?.length, 2);
});

Deno.test("a Chinese word whose translations are in no text is translated by its parts", async () => {
  const parts = table.toEnglish(table.find("决赛")).map(({ word }) => word);
  ok(parts.includes("final"));
  deepEqual(await groupsOf("总决赛", ["They played in the final of the cup."]), [1]);
});

Deno.test("a word of more than two characters must occur as a whole", async () => {
  // 天文学 is 天文 + 文学
  ok(table.toChinese("astronomi").some(({ word }) => word === "天文学"));
  deepEqual(await groupsOf("astronomy", ["他研究天文学。", "他研究文学，也研究历史。"]), [1]);
});

Deno.test("a word with a digit is a name or a number: neither it nor its parts are translated", async () => {
  equal(await groupsOf("hunter2", ["周二去见猎人。", "猎户有两只狗。"]), undefined);
  deepEqual(await groupsOf("covid19 bridge 2", ["这座桥梁有两百米长。"]), [1]);
});

Deno.test("a question in a script other than Latin or Chinese is not translated", async () => {
  equal(await groupsOf("мост через реку", ["这座大桥很长。", "A bridge."]), undefined);
});

Deno.test("of a pasted page, only the rarest words are translated", async () => {
  const known = Array.from({ length: 400 }, (_, i) => table.words.word(5000 + 10 * i))
    .filter((word) => table.toChinese(tokenizer.tokenize(word)[0] ?? "").length > 0);
  ok(known.length > 100);
  const chinese = known.map((word) =>
    table.toChinese(tokenizer.tokenize(word)[0]!).map(({ word }) => word).join("，")
  );
  const groups = await groupsOf(known.join(" "), chinese);
  ok(groups!.length >= 16 && groups!.length <= 32, String(groups!.length));
});

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
