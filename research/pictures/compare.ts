// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Compares the pictures that are found in documents with those that other programs find: `pdfimages -list` (poppler) in PDFs, the entries
 * of media folders in Office files, OpenDocument and EPUB. Then the first pages of PDFs as pictures with those of `pdftoppm`.
 *
 *     deno run -A --config deno.dev.json research/pictures/compare.ts FILE…
 */
import { decode } from "fast-png";
import { formatOf, readPictures } from "#documents/mod.ts";
import { openWithPdfium } from "#documents/pdfium/pdfium.ts";

const LEVELS = 256;
let [documents, equal, pages, worst, sum, time] = [0, 0, 0, 0, 0, 0];
let most = 0;
for (const path of Deno.args) {
  const bytes = await Deno.readFile(path);
  const name = path.split("/").slice(-2).join("/");
  const format = formatOf(bytes, path);
  try {
    const { answer } = await readPictures(bytes, { path }, { want: "list" });
    const others = format === "pdf" ? await ofPoppler(path) : await ofZip(path);
    if (others !== undefined && (others.length > 0 || answer.pictures.length > 0)) {
      const own = answer.pictures
        .map(({ page, width, height, sha256 }) =>
          format === "pdf" ? `${page}: ${width} x ${height}` : sha256!
        );
      documents++;
      const isEqual = JSON.stringify(unique(own, format)) === JSON.stringify(unique(others, format));
      if (isEqual) equal++;
      else console.log(`${name}: ${own.length} pictures, others find ${others.length}`, missing(own, others));
    }
  } catch (error) {
    console.log(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  if (format === "pdf") await comparePage(path, name, bytes);
}
console.log(`${equal} of ${documents} documents have the same pictures`);
console.log(
  `${pages} pages: mean difference ${(sum / pages).toFixed(4)}, worst ${
    worst.toFixed(4)
  } of the whole range; ` +
    `${(time / pages).toFixed(0)} ms a page; resident memory ${(most / 1e6).toFixed(0)} MB`,
);

/** A list to compare: sorted, and for archives without repetitions, since a file may be shown several times. */
function unique(list: readonly string[], format: string | undefined): string[] {
  return (format === "pdf" ? [...list] : [...new Set(list)]).sort();
}

function missing(own: readonly string[], others: readonly string[]): string {
  const lost = others.filter((one) => !own.includes(one)).slice(0, 4);
  const more = own.filter((one) => !others.includes(one)).slice(0, 4);
  return `missing ${JSON.stringify(lost)}, more ${JSON.stringify(more)}`;
}

async function ofPoppler(path: string): Promise<string[] | undefined> {
  const text = await output("timeout", "20", "pdfimages", "-list", path);
  if (text === undefined) return undefined;
  return new TextDecoder().decode(text).split("\n").slice(2).flatMap((line) => {
    const [page, , type, width, height] = line.trim().split(/\s+/);
    return type === "image" || type === "stencil" ? [`${page}: ${width} x ${height}`] : [];
  });
}

/** SHA-256 of the media of an archive. */
async function ofZip(path: string): Promise<string[] | undefined> {
  const list = await output("unzip", "-Z1", path);
  if (list === undefined) return undefined;
  const names = new TextDecoder().decode(list).split("\n").filter((name) =>
    /(?:media|Pictures|images?)\/[^/]+\.\w+$/i.test(name)
  );
  const hashes: string[] = [];
  for (const name of names) {
    const bytes = await output("unzip", "-p", path, name.replace(/[[\]*?]/g, "?"));
    hashes.push(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes!)).toHex());
  }
  return hashes;
}

async function output(command: string, ...args: string[]): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { success, stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
  return success ? stdout : undefined;
}

/** Compares the first page in 600 pixels of width, in grey, by the mean difference of the pixels. */
async function comparePage(path: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const theirs = await output(
    "pdftoppm",
    "-png",
    "-gray",
    "-f",
    "1",
    "-l",
    "1",
    "-scale-to-x",
    "600",
    "-scale-to-y",
    "-1",
    path,
  );
  if (theirs === undefined || theirs.length === 0) return;
  try {
    const start = performance.now();
    const pdf = await openWithPdfium(bytes);
    using page = pdf.page(1);
    const png = decode(theirs);
    const own = page.render(png.width, png.height);
    time += performance.now() - start;
    let difference = 0;
    for (let i = 0; i < png.width * png.height; i++) {
      const [r, g, b] = own.data.subarray(3 * i, 3 * i + 3);
      difference += Math.abs(0.299 * r! + 0.587 * g! + 0.114 * b! - png.data[i * png.channels]!);
    }
    const mean = difference / (png.width * png.height * LEVELS);
    if (mean > 0.05) console.log(`${name}: the page differs by ${mean.toFixed(3)}`);
    pages++;
    sum += mean;
    worst = Math.max(worst, mean);
    most = Math.max(most, Deno.memoryUsage().rss);
  } catch (error) {
    console.log(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}
