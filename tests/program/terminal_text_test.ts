import { deepEqual, equal } from "node:assert/strict";
import { cutStartToWidth, cutToWidth, displayWidth } from "#program/terminal_text.ts";
import { formatBytes, formatDuration, formatTime } from "#program/progress.ts";
import { wrapWords } from "#program/help.ts";

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
  equal(displayWidth("\u001b[31mred\u001b[39m"), 3);
  equal(displayWidth("\u001b]8;;file:///a%20b\u001b\\索引\u001b]8;;\u001b\\"), 4);
});

Deno.test("cutToWidth() never exceeds the given columns", () => {
  const cut = ([text, columns]: readonly [string, number]) => cutToWidth(text, columns);
  const cases = [["abc", 3], ["abcd", 3], ["索引目录", 5], ["索引目录", 4], ["索引", 4], [
    "a👨‍👩‍👧b",
    3,
  ]] as const;
  deepEqual(cases.map(cut), ["abc", "ab…", "索引…", "索…", "索引", "a…"]);
  equal(cutStartToWidth("notes/索引", 6), "…/索引");
  equal(cutStartToWidth("e\u0301e\u0301e\u0301", 2), "…e\u0301");
});

Deno.test("formatBytes() keeps two or three digits", () => {
  deepEqual(
    [0, 999, 1000, 1540, 9_960, 99_499, 999_499, 999_500, 1_000_000, 123_456_789, 5e12, 5e16]
      .map(formatBytes).join(", "),
    "0 B, 999 B, 1.0 kB, 1.5 kB, 10 kB, 99 kB, 999 kB, 1.0 MB, 1.0 MB, 123 MB, 5.0 TB, 50000 TB",
  );
});

Deno.test("formatDuration() shows the two largest units", () => {
  deepEqual(
    [0, 0.0042, 0.42, 1, 1.25, 59.6, 100, 725, 12_000].map(formatDuration),
    ["0 s", "0.004 s", "0.42 s", "1 s", "1.3 s", "60 s", "1 min 40 s", "12 min 5 s", "3 h 20 min"],
  );
});

Deno.test("formatTime() gives local time", () => {
  equal(formatTime(new Date(2026, 0, 31, 9, 5, 0)), "2026-01-31 09:05:00");
});

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
