import assert from "node:assert/strict";
import { chunkDocument, type ChunkOptions } from "#engine/chunk/mod.ts";
import { loadDocument } from "#documents/read_document.ts";

const DEFAULTS = { maxChars: 100, overlap: 0, chunksPerFile: "auto" } as const;

/** Returns chunks as `first-last line section path: content`. */
function rows(path: string, text: string, options: Partial<ChunkOptions>): string[] {
  return chunkDocument(loadDocument(path, text), { ...DEFAULTS, ...options }).map(
    ({ startLine, endLine, section, start, end }) =>
      `${[`${startLine}-${endLine}`, ...section].join(" > ")}: ${text.slice(start, end)}`,
  );
}

/** Returns chunks as they are indexed: with their lead. */
function contents(text: string, options: Partial<ChunkOptions>, path = "a.md"): string[] {
  return chunkDocument(loadDocument(path, text), { ...DEFAULTS, ...options }).map(({ start, end, lead }) =>
    (lead === undefined ? "" : `${lead}\n`) + text.slice(start, end)
  );
}

const GUIDE = "# Guide\n\nShort intro.\n\n## Install\n\nRun this:\n\n```sh\nnpm ci\n\nnpm test\n```\n\n" +
  "Then start the server and wait until it says that it is ready.\n\n## Use\n\n- one\n- two\n";

Deno.test("chunkDocument() cuts Markdown at headings and paragraphs, and keeps code blocks whole", () => {
  assert.deepEqual(rows("a.md", GUIDE, { maxChars: 100 }), [
    "1-3 > Guide: # Guide\n\nShort intro.",
    "5-13 > Guide > Install: ## Install\n\nRun this:\n\n```sh\nnpm ci\n\nnpm test\n```",
    "15-15 > Guide > Install: Then start the server and wait until it says that it is ready.",
    "17-20 > Guide > Use: ## Use\n\n- one\n- two",
  ]);
});

Deno.test("a picture stays in one chunk with its caption", () => {
  const words = "Green tea wants water of 80 degrees.";
  const picture = "![A cup]()\n\nFigure 1: the cup and\nits saucer.";
  assert.deepEqual(contents(`${words}\n\n${picture}\n\nMore.\n`, { maxChars: 75 }), [
    words,
    `${picture}\n\nMore.`,
  ]);
  const other = "![A cup]()\n\nIt holds 200 ml.";
  assert.deepEqual(contents(`${words}\n\n${other}\n`, { maxChars: 60 }), [
    `${words}\n\n![A cup]()`,
    "It holds 200 ml.",
  ]);
});

Deno.test("small sections share a chunk until it is a quarter full", () => {
  const text = "# A\n\nalpha\n\n# B\n\nbeta\n\n# C\n\ngamma\n";
  assert.deepEqual(rows("a.md", text, { maxChars: 200 }), [`1-11: ${text.trim()}`]);
  assert.deepEqual(rows("a.md", text, { maxChars: 36 }), [
    "1-3 > A: # A\n\nalpha",
    "5-7 > B: # B\n\nbeta",
    "9-11 > C: # C\n\ngamma",
  ]);
});

Deno.test("a heading is in the same chunk as the text below it", () => {
  assert.deepEqual(
    rows("a.md", "Some words before.\n\n## Next\n\nA paragraph that does not fit.\n", { maxChars: 40 }),
    [
      "1-1: Some words before.",
      "3-5 > Next: ## Next\n\nA paragraph that does not fit.",
    ],
  );
});

Deno.test("a heading of several lines is one heading, also where one of them looks like a table", () => {
  assert.deepEqual(rows("a.md", "Tea\n+---+\n=====\nCoffee\n=====\n\nText.\n", { maxChars: 40 }), [
    "1-7: Tea\n+---+\n=====\nCoffee\n=====\n\nText.",
  ]);
});

Deno.test("a table that fits in one chunk is not cut", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |";
  assert.deepEqual(rows("a.md", `Text.\n\n${table}\n\nAfter it.\n`, { maxChars: 45 }), [
    "1-1: Text.",
    `3-6: ${table}`,
    "8-8: After it.",
  ]);
});

const TABLE = "| a | b |\n|---|---|\n| One. Two | 2 |\n| Three. Four | 4 |\n| Five | 6 |\n";

Deno.test("a table too long for one chunk is cut between rows, and its head leads every chunk", () => {
  assert.deepEqual(contents(`${TABLE}\nAfter it.\n`, { maxChars: 40, overlap: 14 }), [
    "| a | b |\n|---|---|\n| One. Two | 2 |",
    "| a | b |\n|---|---|\n| Three. Four | 4 |",
    "| a | b |\n|---|---|\n| Five | 6 |",
    "After it.",
  ]);
  assert.deepEqual(contents(TABLE, { chunksPerFile: 2 }), [
    "| a | b |\n|---|---|\n| One. Two | 2 |",
    "| a | b |\n|---|---|\n| Three. Four | 4 |\n| Five | 6 |",
  ]);
});

const PARTS =
  "Our parts.\n\n| Part | Price |\n|---|---|\n| pump | 120 |\n| hose | 15 |\n| valve | 30 |\n\nNext week.\n";
const LEAD = "| Part | Price |\n|---|---|";

Deno.test("tables: rows makes a chunk of each row, below its head", () => {
  assert.deepEqual(contents(PARTS, { tables: "rows", maxChars: 200 }), [
    "Our parts.",
    `${LEAD}\n| pump | 120 |`,
    `${LEAD}\n| hose | 15 |`,
    `${LEAD}\n| valve | 30 |`,
    "Next week.",
  ]);
  assert.deepEqual(
    contents(`# Parts\n\n${PARTS.slice(12)}`, { tables: "rows", maxChars: 200 })[0],
    `# Parts\n\n${LEAD}\n| pump | 120 |`,
  );
});

Deno.test("tables: whole keeps a table of up to eight times the size in one chunk", () => {
  const table = (rows: number) => `${LEAD}${"\n| pump | 120 |".repeat(rows)}`;
  assert.deepEqual(contents(`Text.\n\n${table(20)}\n\nMore.`, { tables: "whole", maxChars: 50 }), [
    "Text.",
    table(20),
    "More.",
  ]);
  assert.deepEqual(contents(`# A\n\n${table(20)}`, { tables: "whole", maxChars: 50 }), [
    `# A\n\n${table(20)}`,
  ]);
  assert.deepEqual(contents(`# A\n${" ".repeat(500)}\n${table(20)}`, { tables: "whole", maxChars: 50 }), [
    "# A",
    table(20),
  ]);
  assert.deepEqual(
    contents(table(30), { tables: "whole", maxChars: 50 }),
    contents(table(30), { maxChars: 50 }),
  );
  const second = `${table(3)}\n\n${table(20)}`;
  assert.deepEqual(contents(second, { tables: "whole", maxChars: 80 }), [table(3), table(20)]);
});

Deno.test("tables: text cuts rows like other lines, without a head", () => {
  const chunks = contents(PARTS, { tables: "text", maxChars: 50 });
  assert.deepEqual(chunks, [
    `Our parts.\n\n${LEAD}`,
    "| pump | 120 |\n| hose | 15 |\n| valve | 30 |",
    "Next week.",
  ]);
});

Deno.test("a head with cells over several columns has two rows", () => {
  const head = "| Part | 2023 | 2023 |\n|---|---|---|\n| Part | Q1 | Q2 |";
  const rows = ["| pump | 1 | 2 |", "| hose | 3 | 4 |", "| valve | 5 | 6 |"];
  assert.deepEqual(contents(`${head}\n${rows.join("\n")}`, { maxChars: 75 }), [
    `${head}\n${rows[0]}`,
    `${head}\n${rows[1]}`,
    `${head}\n${rows[2]}`,
  ]);
  const same = "| a | x | x |\n|---|---|---|\n| b | 1 | 2 |";
  assert.deepEqual(contents(`${same}\n| c | 3 | 4 |`, { maxChars: 45 }), [
    same,
    "| a | x | x |\n|---|---|---|\n| c | 3 | 4 |",
  ]);
});

Deno.test("rows in a code block and rows without a head get no lead", () => {
  assert.deepEqual(contents(`\`\`\`\n${TABLE}\`\`\`\n`, { maxChars: 40 }), [
    "```\n| a | b |\n|---|---|\n| One. Two | 2 |",
    "| Three. Four | 4 |\n| Five | 6 |\n```",
  ]);
  assert.deepEqual(contents("| One. Two | 2 |\n| Three. Four | 4 |\n| Five | 6 |\n", { maxChars: 40 }), [
    "| One. Two | 2 |\n| Three. Four | 4 |",
    "| Five | 6 |",
  ]);
});

Deno.test("each part of a row too wide for one chunk is led by the names of its columns", () => {
  const columns = Array.from({ length: 12 }, (_, i) => i);
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const text = [
    row(columns.map((i) => `name ${i}`)),
    `|${" --- |".repeat(12)}`,
    row(columns.map((i) => `value${i}`)),
  ].join("\n");
  assert.deepEqual(contents(text, { maxChars: 80 }).slice(-3), [
    "| name 0 | name 1 | name 2 | name 3 |\n| value0 | value1 | value2 | value3 |",
    "| name 4 | name 5 | name 6 | name 7 |\nvalue4 | value5 | value6 | value7 |",
    "| name 8 | name 9 | name 10 | name 11 |\nvalue8 | value9 | value10 | value11 |",
  ]);
});

Deno.test("a chunk has the page of its first character after the overlap, and may extend over the end of a page", () => {
  const text = "One two three.\n\nFour five six.\n\nSeven eight nine.\n\nTen eleven.\n";
  const pages = [
    { number: 1, start: 0, end: 32 },
    { number: 3, start: 32, end: 51 },
    { number: 4, start: 51, end: text.length },
  ];
  const cut = (options: Partial<ChunkOptions>) =>
    chunkDocument({ text, sections: [], pages }, { ...DEFAULTS, maxChars: 40, overlap: 18, ...options })
      .map(({ start, end, page }) => [page, text.slice(start, end)]);
  assert.deepEqual(cut({}), [
    [1, "One two three.\n\nFour five six."],
    [3, "Four five six.\n\nSeven eight nine."],
    [4, "Ten eleven."],
  ]);
  assert.deepEqual(cut({ chunksPerFile: 2 }), [
    [1, "One two three.\n\nFour five six."],
    [3, "Seven eight nine.\n\nTen eleven."],
  ]);
  assert.deepEqual(cut({ maxChars: 1000 }), [[1, text.trim()]]);
});

Deno.test("the text after a section belongs to the section around it", () => {
  const text = "class A {\n  one();\n}\nafter();\nlast();\n";
  const sections = [{ start: 0, headingEnd: 9, end: 21, level: 1, title: "class A", path: ["class A"] }];
  const chunks = chunkDocument({ text, sections }, { ...DEFAULTS, maxChars: 60 });
  assert.deepEqual(chunks.map(({ start, end, section }) => [text.slice(start, end), ...section]), [
    ["class A {\n  one();\n}", "class A"],
    ["after();\nlast();"],
  ]);
});

Deno.test("a section that stands apart begins a chunk even if the chunk before is small", () => {
  const text = "a();\nfunction f() {\n  b();\n}\n";
  const section = { start: 5, headingEnd: 19, end: 29, level: 1, title: "function f", path: ["function f"] };
  const cut = (apart: { apart?: true }) =>
    chunkDocument({ text, sections: [{ ...section, ...apart }] }, { ...DEFAULTS, maxChars: 200, overlap: 20 })
      .map(({ start, end, section }) => [text.slice(start, end), ...section]);
  assert.deepEqual(cut({ apart: true }), [["a();"], ["function f() {\n  b();\n}", "function f"]]);
  assert.deepEqual(cut({}), [[text.trim()]]);
});

const SMALL_SECTIONS = "# A\n\nalpha one.\n\n# B\n\nbeta two. Beta three.\n";

Deno.test("each strategy cuts the same text differently", () => {
  const cut = (strategy: ChunkOptions["strategy"], maxChars = 90) =>
    contents(SMALL_SECTIONS, { maxChars, strategy });
  assert.deepEqual(cut("auto"), [SMALL_SECTIONS.trim()]);
  assert.deepEqual(cut("structure"), ["# A\n\nalpha one.", "# B\n\nbeta two. Beta three."]);
  assert.deepEqual(cut("auto", 40), ["# A\n\nalpha one.", "# B\n\nbeta two. Beta three."]);
  assert.deepEqual(cut("recursive", 40), ["# A\n\nalpha one.\n\n# B", "beta two. Beta three."]);
  assert.deepEqual(cut("fixed", 20), ["# A\n\nalpha one.\n\n# B", "beta two. Beta three", "."]);
  assert.deepEqual(cut("semantic"), cut("auto"));
});

Deno.test("fixed chunks repeat `overlap` units and do not cut characters in two", () => {
  const cut = (text: string, maxChars: number, overlap: number) =>
    contents(text, { strategy: "fixed", maxChars, overlap }, "a.txt");
  assert.deepEqual(cut("abcdefghij", 4, 2), ["abcd", "cdef", "efgh", "ghij"]);
  assert.deepEqual(cut("😀😀😀", 5, 0), ["😀😀", "😀"]);
});

Deno.test("semantic chunks end where neighbouring sentences are least similar", () => {
  const text = "Cats sleep all day long. Cats hunt mice at night. Cats like warm roofs. " +
    "Steel is made of iron. Steel can be cast in forms. Steel rusts in the rain.\n\nSteel is heavy.\n";
  const similarity = (texts: readonly string[]) =>
    texts.slice(1).map((one, at) => one.slice(0, 4) === texts[at]!.slice(0, 4) ? 0.9 : 0.1);
  const cut = (maxChars: number) =>
    contents(text, { strategy: "semantic", similarity, maxChars, overlap: 20 });
  assert.deepEqual(cut(200), [
    "Cats sleep all day long. Cats hunt mice at night. Cats like warm roofs.",
    "Steel is made of iron. Steel can be cast in forms. Steel rusts in the rain.\n\nSteel is heavy.",
  ]);
  assert.deepEqual(cut(60), [
    "Cats sleep all day long. Cats hunt mice at night.",
    "Cats like warm roofs.",
    "Steel is made of iron. Steel can be cast in forms.",
    "Steel rusts in the rain.\n\nSteel is heavy.",
  ]);
});

const SPRING = "# 春\n\n盼望着，盼望着，东风来了，春天的脚步近了。一切都像刚睡醒的样子，欣欣然张开了眼。" +
  "山朗润起来了，水涨起来了，太阳的脸红起来了。\n\n他说：“小草偷偷地从土里钻出来。”嫩嫩的，绿绿的。\n";

Deno.test("Chinese prose is cut at the ends of sentences", () => {
  assert.deepEqual(rows("a.md", SPRING, { maxChars: 40 }), [
    "1-3 > 春: # 春\n\n盼望着，盼望着，东风来了，春天的脚步近了。",
    "3-3 > 春: 一切都像刚睡醒的样子，欣欣然张开了眼。",
    "3-3 > 春: 山朗润起来了，水涨起来了，太阳的脸红起来了。",
    "5-5 > 春: 他说：“小草偷偷地从土里钻出来。”嫩嫩的，绿绿的。",
  ]);
});

Deno.test("a closing quotation mark stays with its sentence, even if no space follows", () => {
  assert.deepEqual(rows("a.txt", "他说：“好的，我明天一定来。”然后他就走了。", { maxChars: 16 }), [
    "1-1: 他说：“好的，我明天一定来。”",
    "1-1: 然后他就走了。",
  ]);
});

Deno.test("overlap begins at a sentence or line and never includes a heading", () => {
  assert.deepEqual(
    rows("a.txt", "One two. Three four.\n\nFive six seven eight.\n", { maxChars: 40, overlap: 15 }),
    [
      "1-1: One two. Three four.",
      "1-3: Three four.\n\nFive six seven eight.",
    ],
  );
  assert.deepEqual(
    rows("a.md", "# A\n\nOne two. Three four.\n\n# B\n\nFive.\n", { maxChars: 40, overlap: 15 }),
    [
      "1-3 > A: # A\n\nOne two. Three four.",
      "5-7 > B: # B\n\nFive.",
    ],
  );
});

Deno.test("a log is cut between entries, and a stack trace stays with its entry", () => {
  const log =
    "2024-01-01 INFO start\n2024-01-01 INFO on\n2024-01-01 ERROR bad\n  at f (a.ts:1)\n  at g (a.ts:2)\n" +
    "2024-01-02 INFO go on\n2024-01-02 INFO end\n";
  assert.deepEqual(rows("a.log", log, { maxChars: 60 }), [
    "1-2 > 2024-01-01: 2024-01-01 INFO start\n2024-01-01 INFO on",
    "3-5 > 2024-01-01 > 2024-01-01 ERROR bad: 2024-01-01 ERROR bad\n  at f (a.ts:1)\n  at g (a.ts:2)",
    "6-7 > 2024-01-02: 2024-01-02 INFO go on\n2024-01-02 INFO end",
  ]);
});

Deno.test("CSV is cut between rows, and CRLF counts as one line end", () => {
  assert.deepEqual(rows("a.csv", "id,name\r\n1,Ann\r\n2,Bob\r\n3,Cy\r\n4,Dee\r\n", { maxChars: 18 }), [
    "1-2: id,name\r\n1,Ann",
    "3-5: 2,Bob\r\n3,Cy\r\n4,Dee",
  ]);
});

Deno.test("code is cut between top-level items, and the first line keeps its indentation", () => {
  const code = 'import a from "a";\n\n/** One. */\nfunction one() {\n  a();\n\n  a();\n}\n\n' +
    "/** Two. */\nfunction two() {\n  return 2;\n}\n";
  assert.deepEqual(rows("a.ts", code, { maxChars: 60 }), [
    '1-1: import a from "a";',
    "3-8 > function one: /** One. */\nfunction one() {\n  a();\n\n  a();\n}",
    "10-13 > function two: /** Two. */\nfunction two() {\n  return 2;\n}",
  ]);
  assert.deepEqual(rows("a.ts", "\n\n    indented();\n", {}), ["3-3:     indented();"]);
});

Deno.test("a long line is cut at clauses, else words, else code points, and never inside a character", () => {
  assert.deepEqual(rows("a.txt", "One two three, four five six seven eight", { maxChars: 30 }), [
    "1-1: One two three,",
    "1-1: four five six seven eight",
  ]);
  assert.deepEqual(rows("a.txt", "e.g. J. Doe pays 3.14 more", { maxChars: 16 }), [
    "1-1: e.g. J. Doe pays",
    "1-1: 3.14 more",
  ]);
  assert.deepEqual(rows("a.txt", "😀😀😀😀😀", { maxChars: 5 }), ["1-1: 😀😀", "1-1: 😀😀", "1-1: 😀"]);
  assert.deepEqual(rows("a.txt", "xe\u0301xe\u0301xe\u0301", { maxChars: 5 }), [
    "1-1: xe\u0301x",
    "1-1: e\u0301xe\u0301",
  ]);
});

Deno.test("chunksPerFile returns balanced pieces cut at the best boundaries, regardless of maxChars", () => {
  assert.deepEqual(
    rows("a.txt", "One. Two.\n\nThree.\n\nFour five six seven.\n", { maxChars: 2, chunksPerFile: 2 }),
    [
      "1-3: One. Two.\n\nThree.",
      "5-5: Four five six seven.",
    ],
  );
  assert.deepEqual(rows("a.txt", "一二三四五六七八九十", { chunksPerFile: 3 }), [
    "1-1: 一二三",
    "1-1: 四五六",
    "1-1: 七八九十",
  ]);
  assert.deepEqual(rows("a.txt", " a b\n", { chunksPerFile: 9 }), ["1-1:  a", "1-1: b"]);
});

Deno.test("chunkDocument() returns no chunks for white space", () => {
  for (const text of ["", "\n", " \r\n\t　\n"]) {
    assert.deepEqual(rows("a.txt", text, {}), []);
    assert.deepEqual(rows("a.txt", text, { chunksPerFile: 3 }), []);
  }
});

Deno.test("chunkDocument() throws RangeError for invalid options", () => {
  for (const options of [{ maxChars: 1 }, { overlap: -1 }, { chunksPerFile: 0 }, { maxChars: 1.5 }]) {
    assert.throws(() => rows("a.txt", "text", options), RangeError);
  }
});

Deno.test("one giant line and hostile runs take linear time", () => {
  const unit = 300_000;
  for (
    const text of [
      "#".repeat(unit),
      "`".repeat(unit),
      "|\n".repeat(unit),
      "~~~\n".repeat(unit),
      "x".repeat(unit),
      `|${"a|".repeat(2000)}\n|-|\n|${"bb|".repeat(unit / 2)}`,
    ]
  ) {
    for (const strategy of ["auto", "structure", "recursive", "fixed", "semantic"] as const) {
      const similarity = (texts: readonly string[]) => texts.slice(1).map(() => 0.5);
      const chunks = rows("a.md", text, { maxChars: 1000, overlap: 500, strategy, similarity });
      assert.ok(chunks.length > 250);
    }
  }
});
