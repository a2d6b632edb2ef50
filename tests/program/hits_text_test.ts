// deno-lint-ignore-file no-control-regex -- the test is about control sequences
import { deepEqual, equal, match } from "node:assert/strict";
import {
  fileLink,
  hitsText,
  markdownText,
  pathNames,
  showsLinks,
} from "#program/commands/search/show_hits.ts";
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

const TERMINAL = { stdin: true, stdout: true, stderr: true };

/** Whether a terminal with these variables gets links. */
function linked(env: Record<string, string>, terminal = TERMINAL): boolean {
  return showsLinks({ env, terminal });
}

Deno.test("showsLinks() knows terminals by their variables", () => {
  for (
    const env of [
      { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.0" },
      { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.101.2" },
      { TERM_PROGRAM: "WezTerm", TERM_PROGRAM_VERSION: "20240203-110809-5046fc22" },
      { TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.4", TERM: "tmux-256color", TMUX: "/tmp/t" },
      { TERM: "xterm-kitty" },
      { TERM: "alacritty" },
      { VTE_VERSION: "7006" },
      { KONSOLE_VERSION: "230804" },
      { WT_SESSION: "9c1f" },
    ]
  ) equal(linked(env), true, JSON.stringify(env));
});

Deno.test("showsLinks() writes none to terminals that are old, unknown, or around tmux", () => {
  for (
    const env of [
      {},
      { TERM: "xterm-256color" },
      { TERM_PROGRAM: "constructor" },
      { TERM_PROGRAM: "Apple_Terminal", TERM_PROGRAM_VERSION: "455" },
      { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.0.15" },
      { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.71.0" },
      { VTE_VERSION: "5000" },
      { VTE_VERSION: "7006", TMUX: "/tmp/t", TERM: "screen-256color" },
      { TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: "3.3a", TERM: "tmux-256color", WT_SESSION: "9c1f" },
    ]
  ) equal(linked(env), false, JSON.stringify(env));
});

Deno.test("showsLinks() heeds NO_COLOR, TERM=dumb and a stream that is no terminal, and FORCE_HYPERLINK before all", () => {
  const kitty = { TERM: "xterm-kitty" };
  const pipe = { ...TERMINAL, stdout: false };
  deepEqual(
    [
      linked({ ...kitty, NO_COLOR: "1" }),
      linked({ TERM: "dumb", VTE_VERSION: "7006" }),
      linked(kitty, pipe),
      linked({ ...kitty, FORCE_HYPERLINK: "0" }),
      linked({ ...kitty, FORCE_HYPERLINK: "false" }),
      linked({ FORCE_HYPERLINK: "1" }, pipe),
      linked({ FORCE_HYPERLINK: "", NO_COLOR: "1" }),
    ],
    [false, false, false, false, false, true, true],
  );
});

Deno.test({
  name: "fileLink() encodes every character of a path that a terminal reacts to",
  ignore: Deno.build.os === "windows",
}, () => {
  equal(
    fileLink("a", "/notes/备 份\u001b]8;;\u0007\n%\u009b.md"),
    "\u001b]8;;file:///notes/%E5%A4%87%20%E4%BB%BD%1B%5D8;;%07%0A%25%C2%9B.md\u001b\\a\u001b]8;;\u001b\\",
  );
});

Deno.test({
  name: "pathNames() shortens paths to the folder that was asked",
  ignore: Deno.build.os === "windows",
  fn: () => {
    const names = (roots: string[], ...paths: string[]) => paths.map(pathNames(roots));
    deepEqual(names(["/home/me/notes"], "/home/me/notes/a/b.md", "/home/me/notes2/c.md"), [
      "a/b.md",
      "/home/me/notes2/c.md",
    ]);
    deepEqual(names(["/"], "/a.md"), ["a.md"]);
    deepEqual(names(["/home/me/notes", "/srv/papers"], "/home/me/notes/a.md", "/srv/papers/b.md"), [
      "notes/a.md",
      "papers/b.md",
    ]);
    deepEqual(
      names(
        ["/srv/one/docs", "/srv/two/docs", "/x"],
        "/srv/one/docs/a.md",
        "/srv/two/docs/a.md",
        "/x/a.md",
      ),
      ["one/docs/a.md", "two/docs/a.md", "x/a.md"],
    );
    deepEqual(names(["/notes", "/notes/inner"], "/notes/inner/a.md", "/notes/b.md"), [
      "inner/a.md",
      "notes/b.md",
    ]);
  },
});
