import { deepEqual, equal } from "node:assert/strict";
import { locate, type Located, type Part } from "../../web/original/locate.ts";
import type { PageText, TextItem } from "../../web/original/page_text.ts";

/** A page with a line every 20 units from the top, each letter 10 wide. `|` divides a line into several runs. */
function page(number: number, ...lines: string[]): PageText {
  const items: TextItem[] = [];
  for (const [i, line] of lines.entries()) {
    let x = 100;
    for (const str of line.split("|")) {
      const width = 10 * str.length;
      items.push({
        str,
        dir: "ltr",
        width,
        height: 10,
        transform: [10, 0, 0, 10, x, 700 - 20 * i],
        fontName: "f",
      });
      x += width;
    }
  }
  return { page: number, items, styles: { f: { fontFamily: "monospace" } } };
}

/** The part of a text that `words` are. */
function part(text: string, words: string): Part {
  const start = text.indexOf(words);
  return { start, end: start + words.length };
}

/** The marks as `page: left-right at the line`, lines counted from 0. */
function marks(located: Located | undefined): string[] | undefined {
  return located?.marks.map(({ mark, page, boxes }) =>
    `${mark} on ${page}: ${
      boxes.map(({ left, right, top }) => `${left}-${right} at ${(708 - top) / 20}`).join(", ")
    }`
  );
}

const PLAIN = "The boiler must be descaled every month, or the valve will stick.";

Deno.test("a mark stands where its word does on the page", () => {
  const pages = [page(3, "Contents", "The boiler must be descaled every month,", "or the valve will stick.")];
  const located = locate(pages, PLAIN, [part(PLAIN, "boiler"), part(PLAIN, "valve")]);
  deepEqual(marks(located), ["0 on 3: 140-200 at 1", "1 on 3: 170-220 at 2"]);
  deepEqual(located?.passage, [{
    page: 3,
    boxes: [{ left: 100, bottom: 678, right: 490, top: 688 }, {
      left: 100,
      bottom: 658,
      right: 330,
      top: 668,
    }],
  }]);
});

Deno.test("signs of Markdown, hyphens at line ends, ligatures, accents and widths make no difference", () => {
  const text =
    "## Ｃafé rules\n\n- The **office** coffee-machine is [descaled](https://example.org/descaling) monthly.";
  const pages = [
    page(1, "Cafe\u0301 rules", "• The o\uFB03ce coffee-ma-", "chine is des\u00ADcaled monthly."),
  ];
  deepEqual(marks(locate(pages, text, [part(text, "machine"), part(text, "descaled")])), [
    "0 on 1: 280-300 at 1, 100-150 at 2",
    "1 on 1: 190-280 at 2",
  ]);
});

Deno.test("Chinese is found across lines and runs, whatever blanks are between", () => {
  const text = "咖啡机每月需要除垢一次，否则阀门会卡住。";
  const located = locate([page(1, "咖啡机|每月 需要除", "垢一次，否则阀门会卡住。")], text, [
    part(text, "除垢"),
  ]);
  deepEqual(marks(located)?.map((mark) => mark.replace(/[\d.]+-[\d.]+/g, "x")), ["0 on 1: x at 0, x at 1"]);
});

Deno.test("a passage goes over the border of two pages, past the running head", () => {
  const pages = [
    page(8, "Manual of machines", "The boiler must be descaled every month,"),
    page(9, "Manual of machines", "or the valve will stick."),
  ];
  const located = locate(pages, PLAIN, [part(PLAIN, "month"), part(PLAIN, "valve")]);
  deepEqual(marks(located), ["0 on 8: 440-490 at 1", "1 on 9: 170-220 at 1"]);
});

Deno.test("columns may stand in another order on the page than in the passage", () => {
  const first = "Water runs through the pump into the boiler.";
  const second = "Steam leaves the boiler through the valve above.";
  const text = `${first}\n\n${second}`;
  const located = locate([page(1, second, first)], text, [part(text, "pump"), part(text, "Steam")]);
  deepEqual(marks(located), ["0 on 1: 330-370 at 1", "1 on 1: 100-150 at 0"]);
});

Deno.test("a short cell is found between the cells around it", () => {
  const text = "| Interval of descaling | 30 | Litres of water for rinsing |\n| --- | --- | --- |";
  const pages = [
    page(1, "page 30 of 30", "Interval of descaling", "days", "30", "per", "Litres of water for rinsing"),
  ];
  deepEqual(marks(locate(pages, text, [part(text, "30")])), ["0 on 1: 100-120 at 3"]);
});

Deno.test("of two equal lines the one beside the rest of the passage is marked", () => {
  const note = "Read this note carefully.";
  const text = `${note}\n\n${PLAIN}`;
  const other = "Some other text that has nothing to do with it, long enough to stand apart. ".repeat(6);
  const pages = [
    page(1, note, other, note, "The boiler must be descaled every month,", "or the valve will stick."),
  ];
  deepEqual(marks(locate(pages, text, [part(text, "note")])), ["0 on 1: 200-240 at 2"]);
});

Deno.test("nothing is found where the place is in doubt", () => {
  const twice = [page(1, PLAIN), page(2, PLAIN)];
  const mark = [part(PLAIN, "boiler")];
  equal(locate(twice, PLAIN, mark), undefined);
  // The likely page decides.
  equal(locate(twice, PLAIN, mark, 2)?.marks[0]?.page, 2);
  equal(locate([page(1, PLAIN, PLAIN)], PLAIN, mark, 1), undefined);
});

Deno.test("a page that shares a phrase with the passage does not have it", () => {
  const text = `${PLAIN} Rinse it with two litres of clear water, and write the date on the card beside it.`;
  equal(
    locate([page(1, "The valve will stick. Write the date on the card.")], text, [part(text, "boiler")]),
    undefined,
  );
});

Deno.test("a heading is found as whole words that stand there once", () => {
  equal(locate([page(1, "Keyboards", "Keys")], "# Keys", [{ start: 2, end: 6 }])?.marks.length, 1);
  equal(locate([page(1, "Keyboards")], "# Key", [{ start: 2, end: 5 }]), undefined);
  equal(locate([page(1, "Keys", "Keys")], "# Keys", [{ start: 2, end: 6 }]), undefined);
});

Deno.test("pages and passages without text give nothing", () => {
  equal(locate([], PLAIN, []), undefined);
  equal(locate([page(1)], PLAIN, []), undefined);
  equal(locate([page(1, PLAIN)], "| --- | --- |", []), undefined);
});

Deno.test("text to the left, turned and vertical text have their boxes", () => {
  const run = (str: string, more: Partial<TextItem>): TextItem => ({
    str,
    dir: "ltr",
    width: 10 * str.length,
    height: 10 * str.length,
    transform: [10, 0, 0, 10, 100, 500],
    fontName: "f",
    ...more,
  });
  const boxOf = (item: TextItem, vertical: boolean, mark: Part) => {
    const styles = { f: { fontFamily: "monospace", vertical } };
    return locate([{ page: 1, items: [item], styles }], item.str, [mark])?.marks[0]?.boxes[0];
  };
  const words = "descale the boiler";
  const last = { start: 12, end: 18 };
  deepEqual(boxOf(run(words, { dir: "rtl" }), false, last), { left: 100, bottom: 498, right: 160, top: 508 });
  deepEqual(boxOf(run(words, { transform: [0, 10, -10, 0, 100, 500] }), false, last), {
    left: 92,
    bottom: 620,
    right: 102,
    top: 680,
  });
  deepEqual(boxOf(run("咖啡机除垢", { height: 50 }), true, { start: 3, end: 5 }), {
    left: 95,
    bottom: 450,
    right: 105,
    top: 470,
  });
});

Deno.test("hostile texts take linear time and give no wrong numbers", () => {
  const long = "a".repeat(200_000);
  equal(locate([page(1, long)], long, [{ start: 0, end: 5 }]), undefined);
  const pairs = "ab".repeat(100_000);
  equal(locate([page(1, pairs)], pairs.slice(0, 20_000), [{ start: 0, end: 5 }]), undefined);
  const item: TextItem = {
    str: PLAIN,
    dir: "ltr",
    width: NaN,
    height: Infinity,
    transform: [1e308, 0, 0, 1e308, 1e308, 0],
    fontName: "f",
  };
  deepEqual(locate([{ page: 1, items: [item], styles: {} }], PLAIN, [part(PLAIN, "boiler")]), {
    passage: [],
    marks: [],
  });
});
