import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { phrasePattern, wordParts } from "#engine/index/phrase_pattern.ts";

/** Returns the texts that contain the phrase. */
function holding(phrase: string, texts: readonly string[]): string[] {
  const pattern = phrasePattern(phrase)!;
  return texts.filter((text) => pattern.test(text));
}

Deno.test("a pattern matches whole words only in scripts with spaces between words", () => {
  deepEqual(holding("cat", ["a Cat!", "cats", "bobcat", "cat_2", "猫cat猫", "cat's"]), [
    "a Cat!",
    "猫cat猫",
    "cat's",
  ]);
  deepEqual(holding("C++", ["c++", "(C++11)", "C+", "use C++."]), ["c++", "(C++11)", "use C++."]);
  deepEqual(holding("大学", ["北京大学生", "大 学", "大\n学", "大，学"]), ["北京大学生", "大 学", "大\n学"]);
  deepEqual(holding("a.b*(c", ["A b c", "a.b*(c", "axbc"]), ["A b c", "a.b*(c"]);
});

Deno.test("a text that is only punctuation has no pattern", () => {
  equal(phrasePattern(" -> …+#"), undefined);
  deepEqual(wordParts("-> 'I write C++', 他说🙂 _x1 café"), [
    "I",
    "write",
    "C++",
    "他",
    "说",
    "🙂",
    "_x1",
    "café",
  ]);
});

Deno.test("emoji of a phrase are words, so no other emoji may stand between them", () => {
  deepEqual(holding("ok 🎉", ["ok, 🎉", "ok🎉", "ok 🙂 🎉", "ok b 🎉"]), ["ok, 🎉", "ok🎉"]);
  deepEqual(holding("🎉 🙂", ["🎉🙂", "🎉 - 🙂", "🎉 🎉 🙂", "🎉 ® 🙂"]), ["🎉🙂", "🎉 - 🙂", "🎉 🎉 🙂"]);
  deepEqual(holding("windows 11", ["Windows® 11", "✅ windows ✅ 11"]), ["Windows® 11", "✅ windows ✅ 11"]);
  for (const phrase of ["🎉 🎉 🎉 🎉 🎉 🎉 🎉 x", "a 🎉 b 🎉 c", "x 🎉 🎉 🎉 🎉 🎉 🎉 y"]) {
    deepEqual(holding(phrase, ["🎉 ".repeat(60), `x ${"🎉".repeat(60)}`]), [], phrase);
  }
});

Deno.test("a pattern has at most the first hundred words of a phrase", () => {
  const words = Array.from({ length: 2000 }, (_, i) => `w${i}`);
  const text = (count: number) => words.slice(0, count).join(" ");
  deepEqual(holding(text(2000), [text(99), text(100), text(2000)]), [text(100), text(2000)]);
  deepEqual(holding(`${"a ".repeat(1999)}b`, ["c a ".repeat(9000), "🎉".repeat(9000)]), []);
  deepEqual(holding("\ufdfa".repeat(3900).normalize("NFKC"), ["a"]), []);
});

Deno.test("every text with a word matches its own pattern, also between other words", () => {
  const character = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 1 }),
    fc.constantFrom(...'aZ9_ .+#*\\[]()^$|?{}"-\n北京'),
  );
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join("").normalize("NFKC");
      const pattern = phrasePattern(text);
      if (pattern === undefined) return;
      equal(pattern.test(text), true);
      equal(pattern.test(`before ${text} behind`), true);
    }),
    { numRuns: 300 },
  );
});
