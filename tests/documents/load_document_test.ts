import assert from "node:assert/strict";
import fc from "fast-check";
import type { Document } from "#documents/mod.ts";
import { loadDocument } from "#documents/read_document.ts";
import { fuzz } from "../_fuzz.ts";
import { hardText } from "../engine/chunk/_texts.ts";

/** Returns sections as `level:path`. */
function outline(document: Document): string[] {
  return document.sections.map(({ level, path }) => `${level}:${path.join(" > ")}`);
}

Deno.test("Markdown headings make nested sections with exact offsets", () => {
  const text = "# A #\n\ntext\n\n## B\nmore\n\n# C\n";
  assert.deepEqual(loadDocument("notes/a.md", text), {
    text,
    title: "A",
    sections: [
      { start: 0, headingEnd: 5, end: 24, level: 1, title: "A", path: ["A"] },
      { start: 13, headingEnd: 17, end: 24, level: 2, title: "B", path: ["A", "B"] },
      { start: 24, headingEnd: 27, end: 28, level: 1, title: "C", path: ["C"] },
    ],
  });
});

Deno.test("setext headings include their underline, and have up to three lines", () => {
  const text = "Alpha\nbeta\n=====\n\nGamma\r\n---\r\n\n- item\n---\n\n> quote\n---\n";
  const { sections } = loadDocument("a.md", text);
  assert.deepEqual(
    sections.map(({ start, headingEnd, title, level }) => [text.slice(start, headingEnd), title, level]),
    [["Alpha\nbeta\n=====", "Alpha beta", 1], ["Gamma\r\n---", "Gamma", 2]],
  );
});

Deno.test("headings in code, comments, raw HTML and front matter make no sections", () => {
  const text = [
    "---",
    "# a: comment",
    'title: "The title" # really',
    "---",
    "```sh",
    "# comment",
    "~~~",
    "```",
    "- ```py",
    "  # comment",
    "  ```",
    "<!--",
    "# hidden",
    "-->",
    "<pre>",
    "# raw",
    "</pre>",
    "    # code",
    "#no heading",
    "####### seven",
    "## Real",
    "```inline```",
    "### Also real",
  ].join("\n");
  const document = loadDocument("a.md", text);
  assert.equal(document.title, "The title");
  assert.deepEqual(outline(document), ["2:Real", "3:Real > Also real"]);
});

Deno.test("titles lose their markup and nothing else", () => {
  const cases: Record<string, string> = {
    "# **Bold** and *it* and `a_b*c`": "Bold and it and a_b*c",
    "# [Link](https://a.b/c_d) and [ref][1]": "Link and ref",
    "# ![Logo](logo.png) Name": "Logo Name",
    "# [![Badge](b.svg)](https://x) Name": "Badge Name",
    "# snake_case_name and 2 * 3 * 4": "snake_case_name and 2 * 3 * 4",
    "# C# and F#": "C# and F#",
    "# Closed ##": "Closed",
    "# <a name='x'></a>Anchor {#anchor}": "Anchor",
    "# R&amp;D \\*stars\\* [1.0] - today": "R&D *stars* [1.0] - today",
    "# __init__ and ~~old~~": "init and old",
    "# 第一章　春天": "第一章 春天",
    "# a < b and List<T>": "a < b and List",
    "#": "",
  };
  for (const [line, title] of Object.entries(cases)) {
    assert.equal(loadDocument("a.md", line).sections[0]?.title, title, line);
  }
});

Deno.test("an unclosed fence or comment extends to the end", () => {
  for (const opener of ["```", "~~~", "<!--", "<script>"]) {
    assert.deepEqual(outline(loadDocument("a.md", `# A\n${opener}\n# B\n`)), ["1:A"]);
  }
});

Deno.test("reStructuredText levels follow the order of their styles", () => {
  const text =
    "=====\nTitle\n=====\n\nPart\n====\n\nSub ``x``\n---------\n\nPart 2\n======\n\n----\n\n  no\n====\n";
  const document = loadDocument("a.rst", text);
  assert.equal(document.title, "Title");
  assert.deepEqual(outline(document), [
    "1:Title",
    "2:Title > Part",
    "3:Title > Part > Sub x",
    "2:Title > Part 2",
  ]);
  assert.equal(
    text.slice(document.sections[0]!.start, document.sections[0]!.headingEnd),
    "=====\nTitle\n=====",
  );
});

Deno.test("AsciiDoc, Org and LaTeX have sections", () => {
  assert.deepEqual(outline(loadDocument("a.adoc", "= T\n\n== S *b*\n\n----\n== no\n----\n\n=== U\n")), [
    "1:T",
    "2:T > S b",
    "3:T > S b > U",
  ]);
  const org = loadDocument("a.org", "#+TITLE: Doc\n* TODO One :tag:\n#+begin_src\n* no\n#+end_src\n** Two\n");
  assert.deepEqual([org.title, ...outline(org)], ["Doc", "1:One", "2:One > Two"]);
  const tex = loadDocument(
    "a.tex",
    "\\title{The \\emph{Doc}}\n\\section*{One {\\bf x}}\n% \\section{no}\n\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n" +
      "\\subsection[short]{Two}\n",
  );
  assert.deepEqual([tex.title, ...outline(tex)], ["The Doc", "3:One x", "4:One x > Two"]);
});

Deno.test("the extension decides; a README without one is Markdown, other texts are plain", () => {
  const sections = (path: string) => loadDocument(path, "# A\n").sections.length;
  const markdown = [
    "a.md",
    "A.MARKDOWN",
    "README",
    "dir/readme",
    "C:\\docs\\Readme",
    "README.zh-CN",
    "my file.中文.md",
  ];
  const plain = ["a.txt", "a.py", "README.txt", "a", "dir.md/a", ".md/x", "a.constructor"];
  assert.deepEqual(markdown.map(sections), markdown.map(() => 1));
  assert.deepEqual(plain.map(sections), plain.map(() => 0));
  assert.deepEqual(loadDocument("a.log", "# A\n"), { text: "# A\n", sections: [] });
});

Deno.test("sections are ordered, nested and inside the text, and their paths follow from that", () => {
  fc.assert(
    fc.property(hardText, fc.constantFrom("a.md", "a.rst", "a.adoc", "a.org", "a.tex"), (text, path) => {
      const { sections, text: same } = loadDocument(path, text);
      assert.equal(same, text);
      for (const [index, section] of sections.entries()) {
        assert.ok(
          section.start < section.headingEnd && section.headingEnd <= section.end &&
            section.end <= text.length,
        );
        assert.ok(section.start === 0 || text[section.start - 1] === "\n");
        assert.ok(index === 0 || section.start >= sections[index - 1]!.headingEnd);
        const around = sections.filter((one) => one.start <= section.start && section.end <= one.end);
        assert.deepEqual(section.path, around.map((one) => one.title).filter((title) => title !== ""));
        assert.ok(around.every((one) => one === section || one.level < section.level));
      }
    }),
    fuzz(500),
  );
});

Deno.test("a line of more than 500 characters is not a heading", () => {
  assert.deepEqual(
    loadDocument("a.md", `# ${"word ".repeat(200)}\n\n# Real\n`).sections.map((one) => one.title),
    ["Real"],
  );
});

Deno.test("titles have at most 200 characters, and giant headings are read in linear time", () => {
  assert.equal(loadDocument("a.md", "# " + "x".repeat(400)).sections[0]?.title, "x".repeat(200));
  for (
    const text of [
      "# " + "a ".repeat(500_000),
      "# " + "[".repeat(500_000),
      "#".repeat(500_000),
      "`".repeat(500_000),
    ]
  ) {
    for (const { title } of loadDocument("a.md", text).sections) assert.ok(title.length <= 200);
  }
});
