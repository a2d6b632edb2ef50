import { deepEqual, equal } from "node:assert/strict";
import { contentOf } from "#engine/query/mod.ts";

/** Questions and their contents. */
const CONTENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Chinese question words become spaces, in simplified and traditional characters": {
    "什么是光合作用？": "光合作用?",
    "光合作用是什么": "光合作用",
    "為什麼天空是藍色的？": "天空是藍色 ?",
    "如何备份数据库": "备份数据库",
    "数据库应该怎么备份呢？": "数据库 备份 ?",
    "北京在哪里？": "北京 ?",
    "珠穆朗玛峰有多高？": "珠穆朗玛峰 高?",
    "他有多少本书": "他 本书",
    "第几届奥运会由谁主办": "届奥运会 主办",
    "请问这个软件是否支持中文吗": "这个软件 支持中文",
    "何时发布": "发布",
  },
  "capitals among small letters, compounds, and Latin words of a Chinese question are content": {
    "IT policy of the US and WHO OR vitamin A": "IT policy US WHO vitamin A",
    "HOW TO INSTALL IT": "INSTALL",
    "how-to guide and/or up-to-date is.na std::for_each":
      "how-to guide and/or up-to-date is.na std::for_each",
    "Python 的 for 循环怎么写": "Python for 循环 写",
    "what is the meaning of 缘分": "meaning 缘分",
  },
  "a word for a kind of text at the end of a short question counts as a stop word": {
    "onboarding doc": "onboarding",
    "vpn notes?": "vpn",
    "入职文档": "入职",
    "红烧肉 笔记": "红烧肉",
    "how does the parser read each document": "parser read document",
  },
  "a question that has only stop words stays unchanged": { "to be or not to be": "not" },
};

for (const [name, contents] of Object.entries(CONTENTS)) {
  Deno.test(name, () => {
    const found = Object.keys(contents).map((question) => [question, contentOf(question).text]);
    deepEqual(Object.fromEntries(found), contents);
  });
}

Deno.test("other words that contain a question word, and questions of nothing else, stay whole", () => {
  const words = [
    "几何证明",
    "十几年",
    "哪吒闹海",
    "任何时候",
    "吗啡用量",
    "呢绒",
    "目的地",
    "的确如此",
    "几乎没有",
  ];
  const only = ["what is it", "the", "怎么", "为什么", "是什么?", "C++", "🙂"];
  const kinds = ["doc", "笔记", "swap file", "doc format", "notes_api"];
  for (const text of [...words, ...only, ...kinds]) equal(contentOf(text).text, text);
});

Deno.test("English stop words are removed from an English question, but negations stay", () => {
  deepEqual(contentOf("What's the best way to install it without root, and why is it not found?"), {
    text: "best way install without root, not found?",
    stopWords: ["What's", "the", "to", "it", "and", "why", "is", "it"],
    isEmpty: false,
  });
  deepEqual(contentOf("How do I back up A database? A simple way"), {
    text: "back up A database? simple way",
    stopWords: ["How", "do", "I", "A"],
    isEmpty: false,
  });
});

Deno.test("a question that has only particles says nothing, unless it asks about one", () => {
  const texts = ["的 了 吗", "好了吗", "目的", "what is 了"];
  deepEqual(texts.filter((text) => contentOf(text).isEmpty), ["的 了 吗"]);
});

Deno.test("full width is half width, and a word for a kind of text is a stop word", () => {
  deepEqual(contentOf("Ｗｈａｔ ｉｓ ＭＣＰ？"), { text: "MCP?", stopWords: ["What", "is"], isEmpty: false });
  deepEqual(contentOf("onboarding doc").stopWords, ["doc"]);
});
