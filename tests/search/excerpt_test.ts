import { deepEqual, equal, ok } from "node:assert/strict";
import { excerpt } from "../../lib/search/excerpt.ts";

Deno.test("a text that fits is given whole, whatever is asked for", () => {
  deepEqual(excerpt("one\ntwo\n", ["two"], 8), { text: "one\ntwo\n", linesBefore: 0, lines: 2 });
});

Deno.test("a text that is too long is cut to where the words of the query stand together", () => {
  const text = "pear\n" + "filler line\n".repeat(100) + "here are Apples and pears\n" +
    "filler line\n".repeat(100);
  const cut = excerpt(text, ["appl", "pear"], 60);
  ok(cut.text.startsWith("here are Apples and pears\nfiller"), cut.text);
  equal(cut.text.length, 60);
  equal(cut.linesBefore, 101);
  equal(text.split("\n")[cut.linesBefore], "here are Apples and pears");
});

Deno.test("without a word of the query the beginning is given", () => {
  deepEqual(excerpt("abcdefgh", ["x"], 3), { text: "abc", linesBefore: 0, lines: 0 });
});

Deno.test("a surrogate pair is never parted", () => {
  deepEqual(excerpt("a😀b", [], 2), { text: "a", linesBefore: 0, lines: 0 });
  deepEqual(excerpt("😀".repeat(10), [], 5).text, "😀😀");
});

Deno.test("a text whose lower case is longer than itself is cut at its beginning", () => {
  equal(excerpt("İ".repeat(20) + " pear", ["pear"], 4).text, "İİİİ");
});
