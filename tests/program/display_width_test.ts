import { deepEqual } from "node:assert/strict";
import { cutStartToWidth, cutToWidth, displayWidth } from "#program/terminal_text.ts";

Deno.test("displayWidth() counts two columns for wide characters and none for combining marks", () => {
  deepEqual(
    ["", "abc", "索引", "ａ！", "é e\u0301", "📄", "█░…", "한글", "\u1112\u1161\u11ab", "ｶﾞ"].map(
      displayWidth,
    ),
    [0, 3, 4, 4, 3, 2, 3, 4, 2, 2],
  );
});

Deno.test("displayWidth() counts an emoji of several code points once", () => {
  const emoji = ["👨‍👩‍👧", "👍🏽", "🇨🇳", "❤️", "1️⃣", "🏳️‍🌈"];
  deepEqual(emoji.map(displayWidth), emoji.map(() => 2));
});

Deno.test("displayWidth() counts no columns for colours and for the addresses of links", () => {
  deepEqual(
    [
      "\u001b[31mred\u001b[39m",
      "\u001b]8;;file:///a%20b\u001b\\索引\u001b]8;;\u001b\\",
    ].map(displayWidth),
    [3, 4],
  );
});

Deno.test("cutToWidth() never exceeds the given columns", () => {
  deepEqual(
    [["abc", 3], ["abcd", 3], ["索引目录", 5], ["索引目录", 4], ["索引", 4], ["a👨‍👩‍👧b", 3]].map((
      [text, columns],
    ) => cutToWidth(String(text), Number(columns))),
    ["abc", "ab…", "索引…", "索…", "索引", "a…"],
  );
  deepEqual([cutStartToWidth("notes/索引", 6), cutStartToWidth("e\u0301e\u0301e\u0301", 2)], [
    "…/索引",
    "…e\u0301",
  ]);
});
