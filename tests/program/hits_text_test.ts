// deno-lint-ignore-file no-control-regex -- the test is about control sequences
import { equal, match } from "node:assert/strict";
import { hitsText, markdownText } from "#program/commands/search/show_hits.ts";
import { answerOf, hit } from "./_hits.ts";

const nameOf = (path: string) => path.replace("/notes/", "");
const ANSWER = answerOf(
  hit("third", {
    filePath: "/notes/guide.md",
    content: "first line\r\n\r\nthird line\r\n",
    startLine: 12,
    endLine: 14,
    section: ["Guide", "Install"],
  }),
  hit("one", {
    filePath: "/notes/a.pdf",
    degree: "low",
    content: "one line",
    startLine: 3,
    endLine: 3,
    page: 12,
    outdated: true,
    also: [
      { filePath: "/notes/a.html", startLine: 12, endLine: 20 },
      { filePath: "/notes/a\n.docx", startLine: 4, endLine: 4 },
      ...[5, 6, 7, 8].map((page) => ({ filePath: "/b.pdf", startLine: 1, endLine: 1, page })),
    ],
  }),
);

Deno.test("hitsText() numbers the hits with path, lines or page, section and degree", () => {
  equal(
    hitsText(ANSWER, { language: "zh", nameOf }),
    `1. guide.md:12-14  高  Guide › Install
   │ first line
   │
   │ third line

2. a.pdf:3  第 12 页  低  （旧内容，文件已有改动）
   │ one line
   相同内容还见于：a.html:12-20, a␊.docx:4, /b.pdf 第 5 页, /b.pdf 第 6 页, /b.pdf 第 7 页, +1

2 个文件，2 个分片，0.012 s
`,
  );
});

Deno.test("hitsText() with context shows the best line and the lines around it", () => {
  equal(
    hitsText({ ...ANSWER, hits: ANSWER.hits.slice(0, 1) }, { language: "en", nameOf, context: 1 }),
    `1. guide.md:12-14  high  Guide › Install
   │ third line

1 file, 1 chunk, 0.012 s
`,
  );
});

const HOSTILE = hit("tab", {
  filePath: "/notes/a\u001b[2J\n.md",
  content: "tab\there \u001b]0;title\u0007\u009b31m\u007f\nnext\u0000line \u2066שלום",
  section: ["He\u001b[31mad", "\u202etxt"],
});

Deno.test("hitsText() has links where they are forced", () => {
  const [line = ""] = hitsText(ANSWER, { language: "en", nameOf, links: true }).split("\n");
  match(
    line,
    /^1\. \u001b\]8;;file:\/\/\/.*notes\/guide\.md\u001b\\guide\.md\u001b\]8;;\u001b\\:12-14 {2}high/,
  );
});

Deno.test("names and texts from files cannot control the terminal", () => {
  equal(
    hitsText(answerOf(HOSTILE), { language: "en", nameOf }),
    `1. a␛[2J␊.md:1-2  high  He␛[31mad › <U+202E>txt
   │ tab\there ␛]0;title␇�31m␡
   │ next␀line <U+2066>שלום

1 file, 1 chunk, 0.012 s
`,
  );
});

Deno.test("markdownText() is a numbered list with quotations", () => {
  equal(
    markdownText(ANSWER, { language: "en", nameOf }),
    `1. \`guide.md:12-14\` Guide › Install (high)
   > first line
   >
   > third line

2. \`a.pdf  p. 12\` (low)
   > one line
`,
  );
});

Deno.test("markdownText() shows Markdown and HTML as they are written", () => {
  const content = [
    "# Title",
    "![x](https://evil.example/x.png) <img src=y> [a](b) `c` **d** snake_case _e_",
    "- item &lt; 1. & 2",
    "12. twelve",
    "\tif (a < b) {",
    "    | a | b |",
    "~~~",
  ].join("\n");
  equal(
    markdownText(answerOf(hit("x", { filePath: "/notes/a`b``.md", content })), { language: "en", nameOf }),
    "1. ``` a`b``.md:1-7 ``` (high)\n" + [
      "\\# Title  ",
      "!\\[x\\](https://evil.example/x.png) \\<img src=y> \\[a\\](b) \\`c\\` \\*\\*d\\*\\* snake_case \\_e\\_  ",
      "\\- item \\&lt; 1. & 2  ",
      "12\\. twelve  ",
      "\u00a0\u00a0\u00a0\u00a0if (a \\< b) {  ",
      "\u00a0\u00a0\u00a0\u00a0\\| a \\| b \\|  ",
      "\\~\\~\\~",
    ].map((line) => `   > ${line}\n`).join(""),
  );
});
