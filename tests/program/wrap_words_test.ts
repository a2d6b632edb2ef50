import { equal } from "node:assert/strict";
import { wrapWords } from "#program/help.ts";

Deno.test("wrapWords() breaks lines between words and keeps line breaks", () => {
  equal(wrapWords("one two three\nfour", 8), "one two\nthree\nfour");
  equal(wrapWords("exactly eleven", 14), "exactly eleven");
});

Deno.test("wrapWords() gives a word that is wider than the line a line of its own", () => {
  equal(wrapWords("see embedding.api_key there", 10), "see\nembedding.api_key\nthere");
});

Deno.test("wrapWords() breaks Chinese between words, by columns, and never before closing punctuation", () => {
  equal(wrapWords("所指的配置文件", 10), "所指的配置\n文件");
  equal(wrapWords("写入文件，然后", 8), "写入\n文件，\n然后");
  equal(wrapWords("保持（默认）最新", 10), "保持\n（默认）\n最新");
  equal(wrapWords("keyword、semantic、hybrid", 19), "keyword、semantic、\nhybrid");
});
