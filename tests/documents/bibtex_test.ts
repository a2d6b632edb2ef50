import assert from "node:assert/strict";
import { readBibtex } from "#documents/text/bibtex.ts";

Deno.test("readBibtex() reads people, dates, strings, accents and the files of an entry", () => {
  const text = `A comment. @string{acm = "ACM Press"}
@article{smith2020,
  author = {M{\\"u}ller, J{\\'e}r{\\^o}me and Ann Smith and others},
  title = "{The} Keys \\& Locks",
  year = 2020, month = may,
  keywords = {ops, key rotation},
  journal = acm # { Journal},
  doi = {10.1/x}, url = {https://a.example/x},
  abstract = {How to rotate},
  file = {Full Text:papers/smith.pdf:application/pdf;:C\\:\\\\a\\\\b.pdf:PDF}
}
@comment{ @no{x} }
@book(li, author = "李雷 and 王, 芳 and Li, 雷", date = {2021-03-02/2021-03-05}, langid = {zh})`;
  assert.deepEqual(readBibtex(text), [
    {
      key: "smith2020",
      files: ["papers/smith.pdf", "C:/a/b.pdf"],
      title: "The Keys & Locks",
      metadata: {
        authors: ["Jérôme Müller", "Ann Smith"],
        tags: ["ops", "key rotation"],
        published: "2020-05",
        sourceUrl: "https://a.example/x",
        description: "How to rotate",
        extra: { type: "article", doi: "10.1/x", journal: "ACM Press Journal" },
      },
    },
    { key: "x", files: [], metadata: { extra: { type: "no" } } },
    {
      key: "li",
      files: [],
      metadata: {
        authors: ["李雷", "王芳", "雷 Li"],
        published: "2021-03-02",
        language: "zh",
        extra: { type: "book" },
      },
    },
  ]);
});

Deno.test("the key of an entry may have blanks around and in it, and parentheses", () => {
  const keys = (text: string) => readBibtex(text).map(({ key, title }) => [key, title]);
  assert.deepEqual(
    keys(
      "@TechReport{ \n detmode ,\n title = {Mode}}\n@book{Smith (2020) a, title = {Keys}}\n@misc( li , title = {Li})",
    ),
    [["detmode", "Mode"], ["Smith (2020) a", "Keys"], ["li", "Li"]],
  );
});

Deno.test("broken and endless bibliographies are read in linear time", () => {
  for (
    const mark of [
      "@",
      "@a{",
      "@a{b,",
      "@a{b,c={",
      "{",
      "\\",
      '@a{b,c="',
      "@a{b,c=d#",
      " and ",
      "@a{b,c={\\'",
      "a=b,",
    ]
  ) {
    readBibtex(mark.repeat(200_000));
    readBibtex(`@a{b,author={${mark.repeat(100_000)}`);
  }
});
