// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures where the marks of hits stand on the pages of PDFs. Lines of the files, taken at random and unlike any other line, are searched
 * for. The label of a hit is the page and the boxes of the line's letters by
 * `mutool draw -F stext` (MuPDF, of Debian's mupdf-tools). A hit is right if at least 80 % of
 * its marks in the line cover the boxes of their words, and none lies elsewhere. Each passage is also looked for on other pages of its file, where nothing may be found.
 *
 *     deno run -A --config deno.dev.json research/marked_pages.ts FILE.pdf... [--count 100] [--seed 1] [--verbose]
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { openPdf } from "#documents/pdfjs.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import { type Hit, openLibrary } from "#library/search/mod.ts";
import { locate, type Located } from "../web/original/locate.ts";
import { fold, type PageText } from "../web/original/page_text.ts";

const KEY = new Uint8Array(32);
const { values, positionals } = parseArgs({
  args: Deno.args,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    verbose: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

interface Char {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line of a page whose text stands nowhere else in the file. */
interface Line {
  readonly file: string;
  readonly page: number;
  readonly height: number;
  readonly text: string;
  /** The characters, each folded letter once. */
  readonly chars: readonly Char[];
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args: [...args], stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const lettersOf = (text: string) => String.fromCodePoint(...fold(text).letters);

/** The lines of a file that are long enough to search for. */
async function linesOf(file: string): Promise<Line[]> {
  const lines: Line[] = [];
  let [page, height, text] = [0, 0, ""];
  let chars: Char[] = [];
  for (const row of (await run("mutool", ["draw", "-F", "stext", file])).split("\n")) {
    const start = /<page id="[^"]*" width="[\d.]+" height="([\d.]+)"/.exec(row);
    if (start !== null) [page, height] = [page + 1, Number(start[1])];
    if (row.startsWith("</line>")) {
      lines.push({ file, page, height, text, chars });
      [text, chars] = ["", []];
    }
    const found = /<char quad="([^"]*)".* c="([^"]*)"/.exec(row);
    if (found === null) continue;
    const c = found[2]!.replace(
      /&(?:#x([\da-f]+)|(\w+));/gi,
      (_, hex, name) => hex === undefined ? ENTITIES[name] ?? "?" : String.fromCodePoint(parseInt(hex, 16)),
    );
    const quad = found[1]!.split(" ").map(Number);
    const [xs, ys] = [quad.filter((_, i) => i % 2 === 0), quad.filter((_, i) => i % 2 === 1)];
    text += c;
    for (const letter of lettersOf(c)) {
      chars.push({
        text: letter,
        left: Math.min(...xs),
        top: Math.min(...ys),
        right: Math.max(...xs),
        bottom: Math.max(...ys),
      });
    }
  }
  const whole = lines.map(({ chars }) => chars.map(({ text }) => text).join("")).join("");
  return lines.filter(({ chars }) => {
    const letters = chars.map(({ text }) => text).join("");
    if (letters.length < (/\p{Script=Han}/u.test(letters) ? 12 : 30)) return false;
    return whole.indexOf(letters) === whole.lastIndexOf(letters);
  });
}

/** Numbers from 0 to 1 that a seed decides. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The text of the pages that the viewer would compare, or of others. */
async function pagesAround(pdf: Awaited<ReturnType<typeof openPdf>>, hit: Hit, by = 0): Promise<PageText[]> {
  const pages: PageText[] = [];
  const [first, last] = [hit.pageStart ?? hit.page ?? 1, hit.pageEnd ?? hit.page ?? 1];
  for (let number = Math.max(1, first - 1 + by); number <= Math.min(pdf.numPages, last + 1 + by); number++) {
    const page = await pdf.getPage(number);
    const { items, styles } = await page.getTextContent();
    pages.push({ page: number, items: items as unknown as PageText["items"], styles });
  }
  return pages;
}

/** Where the letters of a line stand. */
function expectedBox({ chars }: Line, from: number, to: number): Char {
  const some = chars.slice(from, to);
  return {
    text: some.map(({ text }) => text).join(""),
    left: Math.min(...some.map(({ left }) => left)),
    top: Math.min(...some.map(({ top }) => top)),
    right: Math.max(...some.map(({ right }) => right)),
    bottom: Math.max(...some.map(({ bottom }) => bottom)),
  };
}

/** The text of a hit without the addresses of links, which pages do not show. */
const shownText = (content: string) =>
  content.replace(/\]\([^()\s]*\)/g, (address) => " ".repeat(address.length));

type Verdict = "right" | "wrong" | "not located";

function judge(line: Line, hit: Hit, located: Located | undefined): { verdict: Verdict; why?: string } {
  if (located === undefined) return { verdict: "not located" };
  const content = fold(shownText(hit.content));
  const letters = line.chars.map(({ text }) => text).join("");
  const start = String.fromCodePoint(...content.letters).indexOf(letters);
  const length = letters.length;
  let [right, wrong, all] = [0, 0, 0];
  const faults: string[] = [];
  for (const [i, mark] of hit.marks!.entries()) {
    const from = content.offsets.findIndex((offset) => offset >= mark.start);
    let to = content.offsets.findIndex((offset) => offset >= mark.end);
    if (to < 0) to = content.letters.length;
    if (from < start || to > start + length || from >= to) continue;
    const expected = expectedBox(line, from - start, to - start);
    all++;
    const places = located.marks.filter(({ mark }) => mark === i);
    if (places.length === 0) continue;
    const isRight = places.length === 1 && places[0]!.page === line.page && places[0]!.boxes.some((box) => {
      const [top, bottom] = [line.height - box.top, line.height - box.bottom];
      const across = Math.min(box.right, expected.right) - Math.max(box.left, expected.left);
      const down = Math.min(bottom, expected.bottom) - Math.max(top, expected.top);
      return across > 0.5 * Math.max(expected.right - expected.left, box.right - box.left) &&
        down > 0.5 * Math.min(bottom - top, expected.bottom - expected.top);
    });
    if (isRight) right++;
    else {
      wrong++;
      const at = places.map(({ page, boxes }) =>
        `p${page} ${
          boxes.map((b) => [b.left, line.height - b.top, b.right, line.height - b.bottom].map(Math.round))
            .join(" ")
        }`
      );
      faults.push(
        `${hit.content.slice(mark.start, mark.end)}: ${at} for p${line.page} ${
          [expected.left, expected.top, expected.right, expected.bottom].map(Math.round)
        }`,
      );
    }
  }
  if (all === 0 && located.passage.some(({ page }) => page === line.page)) return { verdict: "right" };
  if (right === 0 && wrong === 0) return { verdict: "not located", why: `${all} marks` };
  if (right >= 0.8 * all && wrong === 0) return { verdict: "right" };
  return {
    verdict: "wrong",
    why: `${right} right, ${wrong} wrong of ${all}; ${faults.slice(0, 2).join("; ")}`,
  };
}

const top = await Deno.realPath(await Deno.makeTempDir());
const root = `${top}/files`;
await Deno.mkdir(root);
for (const [i, file] of positionals.entries()) await Deno.copyFile(file, `${root}/${i}-${basename(file)}`);
const { config: given } = await loadConfig({ cwd: top, env: {}, flags: { language: "en" } });
const config = { ...given, search: { ...given.search, "per_doc_limit": 5, "max_chars": 200_000 } };
using extractor = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()));
await ingest(root, config, { stateDir: `${top}/state`, log: NO_LOG, version: "0", indexKey: KEY, extractor });
const library = openLibrary([root], config, { key: KEY });

const files: { path: string; lines: Line[]; pdf: Awaited<ReturnType<typeof openPdf>> }[] = [];
for (const [i, file] of positionals.entries()) {
  const path = `${root}/${i}-${basename(file)}`;
  files.push({ path, lines: await linesOf(path), pdf: await openPdf(await Deno.readFile(path)) });
}
const next = random(Number(values.seed));
const counts: Record<Verdict, number> = { right: 0, wrong: 0, "not located": 0 };
let [tried, found, ms] = [0, 0, 0];
for (let labelled = 0; labelled < Number(values.count) && tried < 20 * Number(values.count); tried++) {
  const { path, lines, pdf } = files[tried % files.length]!;
  const line = lines[Math.floor(next() * lines.length)];
  if (line === undefined) continue;
  const { text } = line;
  const { hits } = await library.search({ query: text.replace(/["*()\-:]/g, " "), topK: 5, marks: true });
  const letters = lettersOf(text);
  const hit = hits.find(({ filePath, content }) =>
    filePath === path && lettersOf(shownText(content)).includes(letters)
  );
  if (hit === undefined) continue;
  labelled++;
  const pages = await pagesAround(pdf, hit);
  const before = performance.now();
  const located = locate(pages, hit.content, hit.marks!, hit.page);
  ms = Math.max(ms, performance.now() - before);
  // A file may have changed: on other pages nothing may be found.
  const others = await pagesAround(pdf, hit, 3 + (hit.pageEnd ?? 1) - (hit.pageStart ?? 1));
  const elsewhere = locate(others, hit.content, hit.marks!, hit.page);
  if (elsewhere !== undefined) {
    found++;
    console.log(
      `found on other pages: ${basename(path)} page ${line.page} ${
        elsewhere.passage.map(({ page }) => page)
      } ${hit.content.slice(0, 60)}`,
    );
  }
  const { verdict, why } = judge(line, hit, located);
  counts[verdict]++;
  if (verdict !== "right" || values.verbose) {
    console.log(`${verdict}: ${basename(path)} page ${line.page}: ${text.slice(0, 60)} ${why ?? ""}`);
  }
}
console.log(counts, { tried, "found on other pages": found, slowest: `${Math.round(ms)} ms` });
library.close();
Deno.exit(0);
