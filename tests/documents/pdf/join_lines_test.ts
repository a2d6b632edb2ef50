import assert from "node:assert/strict";
import { joinLines, type Piece, toMarkdown, toText } from "#documents/pdf/lines.ts";

function join(lines: readonly string[], words: readonly string[] = []): string {
  return toText(joinLines(lines.map((text): Piece[] => [{ text }]), new Set(words)));
}

Deno.test("lines are joined with a blank, Chinese lines without one", () => {
  assert.equal(join(["the", "keys"]), "the keys");
  assert.equal(join(["钥匙在", "门边，", "Debian 的"]), "钥匙在门边，Debian 的");
  assert.equal(join(["安装", "Debian", "系统"]), "安装 Debian 系统");
});

Deno.test("words divided at the end of a line are joined, and hyphens that belong to words stay", () => {
  assert.equal(join(["more infor-", "mation"]), "more information");
  assert.equal(join(["soft\u00ADly divi\u00AD", "ded"]), "softly divided");
  assert.equal(join(["a self-", "locking nut"]), "a self-locking nut");
  assert.equal(
    join(["the Anglo-", "Saxon and the 3-", "way COVID-", "related state-of-the-", "art"]),
    "the Anglo-Saxon and the 3-way COVID-related state-of-the-art",
  );
  assert.equal(join(["pages 3 -", "5"]), "pages 3 - 5");
});

Deno.test("the words of the document decide whether a hyphen belongs to a word", () => {
  assert.equal(join(["a load-", "carrying nut"], ["load-carrying"]), "a load-carrying nut");
  assert.equal(join(["a non-", "sense"], ["nonsense"]), "a nonsense");
});

Deno.test("a link that continues in the next line is one link", () => {
  const link = "https://example.org/a_(b)";
  assert.equal(
    toMarkdown(
      joinLines([[{ text: "see " }, { text: "the man-", link }], [{ text: "ual", link }, { text: " now" }]]),
    ),
    "see [the manual](https://example.org/a_%28b%29) now",
  );
});

Deno.test("bare addresses stay bare, and only web and mail addresses are links", () => {
  assert.equal(toMarkdown([{ text: "example.org/", link: "https://example.org" }]), "example.org/");
  assert.equal(toMarkdown([{ text: "click", link: "file:///etc/passwd" }]), "click");
});
