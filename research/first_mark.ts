// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures how long a hit in a PDF takes from the click to its first mark on the drawn page, by the page's own performance marks, each time
 * after the page was loaded anew. Without FILE.pdf it makes one of 300 pages.
 *
 *     deno run -A --config deno.dev.json research/first_mark.ts [FILE.pdf QUESTION] [--times 7]
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { makePdf } from "../tests/documents/pdf/make_pdf.ts";
import { openPages } from "../tests/web/_browser.ts";

const { values, positionals: [file, question = "descaling the boiler of machine 217"] } = parseArgs({
  args: Deno.args,
  options: { times: { type: "string", default: "7" } },
  allowPositionals: true,
});

/** A page of a manual with 40 lines. */
function page(number: number): string {
  return Array.from({ length: 40 }, (_, line) => {
    const text = line === 9
      ? `Machine ${number}: descaling of the boiler every ${number % 30 + 1} days, with ${number} ml of acid.`
      : `Line ${line} of page ${number} says that part ${
        number * 40 + line
      } is checked before machine ${number} is used.`;
    return `BT /F1 10 Tf 72 ${740 - 16 * line} Td (${text}) Tj ET`;
  }).join("\n");
}

const bytes = file === undefined
  ? makePdf({ pages: Array.from({ length: 300 }, (_, i) => page(i + 1)) })
  : await Deno.readFile(file);
await using opened = await openPages({ [file === undefined ? "manual.pdf" : basename(file)]: bytes });
const times: number[] = [];
for (let i = 0; i < Number(values.times); i++) {
  const tab = opened.page;
  if (i > 0) await tab.goto(`${opened.origin}/search`);
  await tab.getByRole("searchbox").fill(question);
  await tab.keyboard.press("Enter");
  await tab.getByRole("article").first().getByRole("button").first().click();
  while (!await tab.evaluate(`performance.getEntriesByName("original-marked").length`)) {
    await tab.waitForTimeout(50);
  }
  times.push(
    await tab.evaluate(
      `performance.getEntriesByName("original-marked")[0].startTime - performance.getEntriesByName("original-opened")[0].startTime`,
    ) as number,
  );
}
times.sort((a, b) => a - b);
console.log(
  `first mark: median ${Math.round(times[times.length >> 1]!)} ms, slowest ${Math.round(times.at(-1)!)} ms`,
);
