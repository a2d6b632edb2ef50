import assert from "node:assert/strict";
import { chunkDocument } from "#engine/chunk/mod.ts";
import { loader } from "#documents/pdf/loader.ts";
import { lines, makePdf } from "./make_pdf.ts";

const LEFTS = [72, 250, 400];
const HEAD = ["Item", "Count", "Price"];
const STEP = 16;

interface Table {
  readonly rows: readonly (readonly string[])[];
  /** Baseline of the first row. */
  readonly y?: number;
  readonly ruled?: boolean;
  readonly headFont?: string;
}

/** Returns operators that draw a table with a row every 16 points. */
function table({ rows, y = 740, ruled = false, headFont = "F1" }: Table): string {
  const text = rows.flatMap((row, i) =>
    row.map((cell, j) => lines([cell], { x: LEFTS[j]!, y: y - i * STEP, font: i === 0 ? headFont : "F1" }))
  );
  const [top, bottom] = [y + 12, y + 12 - rows.length * STEP];
  const across = Array.from(
    { length: rows.length + 1 },
    (_, i) => `70 ${top - i * STEP} m 520 ${top - i * STEP} l S`,
  );
  const down = [70, 248, 398, 520].map((x) => `${x} ${top} m ${x} ${bottom} l S`);
  return [...text, ...(ruled ? [...across, ...down] : [])].join("\n");
}

/** Rows of data, as `Widget 12 | 36 | 12.50`. */
function data(from: number, count: number): string[][] {
  return Array.from(
    { length: count },
    (_, i) => [`Widget ${from + i}`, `${(from + i) * 3}`, `${from + i}.50`],
  );
}

async function load(pages: readonly string[]) {
  return await loader.load(makePdf({ pages }), { path: "a.pdf" });
}

/** Returns the first two rows and the number of rows of each table in a text. */
function tables(text: string): string[] {
  return text.split("\n\n").filter((block) => block.startsWith("|")).map((block) => {
    const [head, , first, ...more] = block.trimEnd().split("\n");
    return `${head} ${first} +${more.length}`;
  });
}

for (const ruled of [false, true]) {
  const name = ruled ? "with" : "without";
  Deno.test(`a table ${name} ruling lines keeps all rows and its head over the pages, whether the file repeats it or not`, async () => {
    for (const repeats of [false, true]) {
      const head = repeats ? [HEAD] : [];
      const { text } = await load([
        lines(["The stock of the store as it was counted at the end of the year, in pieces."], { y: 770 }) +
        table({ rows: [HEAD, ...data(1, 38)], ruled }),
        table({ rows: [...head, ...data(39, 40)], ruled }),
        table({ rows: [...head, ...data(79, 20)], ruled }) + lines(["Counted by Li Na."], { y: 300 }),
      ]);
      assert.deepEqual(tables(text), [
        "| Item | Count | Price | | Widget 1 | 3 | 1.50 | +37",
        "| Item | Count | Price | | Widget 39 | 117 | 39.50 | +39",
        "| Item | Count | Price | | Widget 79 | 237 | 79.50 | +19",
      ]);
    }
  });
}

Deno.test("the rows of a table that goes over pages are cited by their page, below the names of the columns", async () => {
  const document = await load([table({ rows: [HEAD, ...data(1, 40)] }), table({ rows: data(41, 40) })]);
  const chunks = chunkDocument(document, { maxChars: 400, overlap: 0, chunksPerFile: "auto" });
  for (const row of [1, 20, 40, 41, 60, 80]) {
    const at = document.text.indexOf(`| Widget ${row} |`);
    const chunk = chunks.find(({ start, end }) => start <= at && at < end)!;
    const { number = chunk.page } = chunk.pages?.findLast((part) => chunk.start + part.at <= at) ?? {};
    assert.equal(number, row <= 40 ? 1 : 2, `row ${row}`);
    const shown = `${chunk.lead ?? ""}${document.text.slice(chunk.start, at)}`;
    assert.match(shown, /\| Item \| Count \| Price \|/, `row ${row}`);
  }
});

Deno.test("a head of words is carried over, also under a footer and a note that the table goes on", async () => {
  const people = (from: string) =>
    Array.from(
      { length: 40 },
      (_, i) => [`${from}${String.fromCharCode(97 + i % 26)}${i > 25 ? "a" : "o"}`, "keeps", "doors"],
    );
  const { text } = await load([
    table({ rows: [["Name", "Task", "Object"], ...people("A")] }) +
    lines(["Store of Keys, inner use"], { y: 40 }),
    lines(["Table 1 (continued)"], { y: 770 }) + table({ rows: people("B") }),
  ]);
  assert.deepEqual(tables(text), [
    "| Name | Task | Object | | Aao | keeps | doors | +39",
    "| Name | Task | Object | | Bao | keeps | doors | +39",
  ]);
});

Deno.test("a table with other columns, with a head of its own, or below a caption stays as it is", async () => {
  const first = table({ rows: [HEAD, ...data(1, 40)] });
  const own = ["Town", "People", "Area"];
  const cases: [page: string, head: string][] = [
    [table({ rows: [own, ...data(41, 10)] }), "| Town | People | Area |"],
    [
      table({
        rows: [["Town", "Mayor", "River"], ...Array.from({ length: 9 }, () => ["Keys", "Li Na", "Po"])],
        headFont: "F2",
      }),
      "| Town | Mayor | River |",
    ],
    [lines(["Table 2: Towns"], { y: 770 }) + table({ rows: data(41, 10) }), "| Widget 41 | 123 | 41.50 |"],
    [
      lines(["These are the towns that the store has sold something to in the year before."], { y: 770 }) +
      table({ rows: data(41, 10) }),
      "| Widget 41 | 123 | 41.50 |",
    ],
    [
      table({ rows: data(41, 10).map(([a, b]) => [a!, b!]) }).replaceAll(" 250 ", " 330 "),
      "| Widget 41 | 123 |",
    ],
  ];
  for (const [page, head] of cases) {
    const { text } = await load([first, page]);
    assert.equal(tables(text)[1]?.slice(0, head.length), head);
  }
});

Deno.test("a letterhead in a grid that every page repeats is left out", async () => {
  const letterhead = (page: number) =>
    table({
      rows: [["Store of Keys", "Manual", "Rev. 3"], ["Copy 12", "Inner use", `Page ${page}`]],
      y: 770,
      ruled: true,
    });
  const body = (page: number) =>
    lines([`Part ${page} of the manual says how the keys of the store are kept and counted.`], { y: 600 });
  const { text } = await load([1, 2, 3].map((page) => letterhead(page) + body(page)));
  assert.deepEqual(text.match(/Store of Keys|Copy|Rev/g), null);
});
