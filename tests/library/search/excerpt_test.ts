import { deepEqual, equal, ok } from "node:assert/strict";
import { excerpt } from "#library/search/show.ts";

Deno.test("excerpt() returns the whole text if it fits", () => {
  deepEqual(excerpt("one\ntwo\n", ["two"], 8), { text: "one\ntwo\n", from: 0, linesBefore: 0, lines: 2 });
});

Deno.test("excerpt() cuts a long text to the window with the words of the query", () => {
  const text = "pear\n" + "filler line\n".repeat(100) + "here are Apples and pears\n" +
    "filler line\n".repeat(100);
  const cut = excerpt(text, ["appl", "pear"], 60);
  ok(cut.text.startsWith("here are Apples and pears\nfiller"), cut.text);
  equal(cut.text.length, 60);
  equal(cut.linesBefore, 101);
  equal(text.split("\n")[cut.linesBefore], "here are Apples and pears");
});

Deno.test("excerpt() returns the beginning of a text without a word of the query", () => {
  deepEqual(excerpt("abcdefgh", ["x"], 3), { text: "abc", from: 0, linesBefore: 0, lines: 0 });
});

Deno.test("excerpt() never cuts a surrogate pair", () => {
  deepEqual(excerpt("a😀b", [], 2), { text: "a", from: 0, linesBefore: 0, lines: 0 });
  deepEqual(excerpt("😀".repeat(10), [], 5).text, "😀😀");
});

Deno.test("excerpt() returns the beginning of a text whose lower case has another length", () => {
  equal(excerpt("İ".repeat(20) + " pear", ["pear"], 4).text, "İİİİ");
});
