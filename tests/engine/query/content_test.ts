import { deepEqual } from "node:assert/strict";
import { contentOf } from "#engine/query/mod.ts";

function contents(questions: readonly string[]): string[] {
  return questions.map((question) => contentOf(question).text);
}

Deno.test("Chinese question words become spaces, in simplified and traditional characters", () => {
  deepEqual(
    contents([
      "什么是光合作用？",
      "光合作用是什么",
      "為什麼天空是藍色的？",
      "如何备份数据库",
      "数据库应该怎么备份呢？",
      "北京在哪里？",
      "珠穆朗玛峰有多高？",
      "他有多少本书",
      "第几届奥运会由谁主办",
      "请问这个软件是否支持中文吗",
      "何时发布",
    ]),
    [
      "光合作用?",
      "光合作用",
      "天空是藍色 ?",
      "备份数据库",
      "数据库 备份 ?",
      "北京 ?",
      "珠穆朗玛峰 高?",
      "他 本书",
      "届奥运会 主办",
      "这个软件 支持中文",
      "发布",
    ],
  );
});

Deno.test("other words that contain a question word stay whole", () => {
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
  deepEqual(contents(words), words);
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

Deno.test("capitals among small letters, compounds, and Latin words of a Chinese question are content", () => {
  deepEqual(
    contents([
      "IT policy of the US and WHO OR vitamin A",
      "HOW TO INSTALL IT",
      "how-to guide and/or up-to-date is.na std::for_each",
      "Python 的 for 循环怎么写",
      "what is the meaning of 缘分",
    ]),
    [
      "IT policy US WHO vitamin A",
      "INSTALL",
      "how-to guide and/or up-to-date is.na std::for_each",
      "Python for 循环 写",
      "meaning 缘分",
    ],
  );
});

Deno.test("a question that has only stop words stays unchanged", () => {
  for (const text of ["what is it", "the", "怎么", "为什么", "是什么?", "to be or not to be", "C++", "🙂"]) {
    const kept = text === "to be or not to be" ? "not" : text;
    deepEqual(contentOf(text).text, kept);
  }
});

Deno.test("a question that has only particles says nothing, unless it asks about one", () => {
  deepEqual(["的 了 吗", "好了吗", "目的", "what is 了"].map((text) => contentOf(text).isEmpty), [
    true,
    false,
    false,
    false,
  ]);
});

Deno.test("full width is half width", () => {
  deepEqual(contentOf("Ｗｈａｔ ｉｓ ＭＣＰ？"), { text: "MCP?", stopWords: ["What", "is"], isEmpty: false });
});

Deno.test("a word for a kind of text at the end of a short question counts as a stop word", () => {
  deepEqual(contents(["onboarding doc", "vpn notes?", "入职文档", "红烧肉 笔记"]), [
    "onboarding",
    "vpn",
    "入职",
    "红烧肉",
  ]);
  deepEqual(contentOf("onboarding doc").stopWords, ["doc"]);
  const kept = [
    "doc",
    "笔记",
    "swap file",
    "doc format",
    "how does the parser read each document",
    "notes_api",
  ];
  deepEqual(contents(kept), ["doc", "笔记", "swap file", "doc format", "parser read document", "notes_api"]);
});
