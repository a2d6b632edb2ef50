// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Compares the pictures that the program lists in documents with those that other readers find: MuPDF (`mutool trace`) in PDFs, and plain
 * searches in the XML of Office files, OpenDocument, EPUB and HTML. A document is counted if it has the same pictures: page or slide, and
 * SHA-256 or size in pixels. A picture is located if its rectangle, cell, or the text before and after it agrees. Needs `unzip` and `mupdf-tools`.
 *
 *     deno run -A --config deno.dev.json research/pictures/located.ts FOLDER|FILE…
 */
import { factsOf } from "#documents/pictures/facts.ts";
import { type Document, type ListedPicture, readDocument, readPictures } from "#documents/mod.ts";
import { comparableText, type TruePicture } from "./truth.ts";
import { picturesInPackage } from "./truth_package.ts";
import { picturesInPdf } from "./truth_pdf.ts";

/** Agreement by kind of document: `same` of `all`. */
interface Score {
  same: number;
  all: number;
}
const ASPECTS = ["counted", "located", "sizes", "alt texts", "headings"] as const;
/** Greatest difference of a side of a rectangle, in points, and of a place in a text, in letters. */
const NEAR = 1.5, NEAR_TEXT = 500;
const scores = new Map<string, Record<typeof ASPECTS[number], Score>>();

for (const path of await files(Deno.args)) {
  const name = path.split("/").at(-1)!;
  const kind = name.split(".").at(-1)!.toLowerCase();
  try {
    const truth = kind === "pdf" ? await picturesInPdf(path) : await picturesInPackage(path, kind);
    const bytes = await Deno.readFile(path);
    const { answer: { pictures } } = await readPictures(bytes, { path }, { want: "list" });
    if (truth.length === 0 && pictures.length === 0) continue;
    const { document } = await readDocument(bytes, { path });
    compare(name, kind, truth, pictures, document);
  } catch (error) {
    console.log(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}
for (const [kind, score] of [...scores].sort()) console.log(kind.padEnd(6), sentence(score));
const totals = [...scores.values()];
console.log(
  "all   ",
  sentence(
    Object.fromEntries(ASPECTS.map((aspect) => [aspect, {
      same: totals.reduce((sum, one) => sum + one[aspect].same, 0),
      all: totals.reduce((sum, one) => sum + one[aspect].all, 0),
    }])) as Record<typeof ASPECTS[number], Score>,
  ),
);

function sentence(score: Record<typeof ASPECTS[number], Score>): string {
  return ASPECTS.map((aspect) => `${score[aspect].same} of ${score[aspect].all} ${aspect}`).join(", ");
}

async function files(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await Deno.stat(path)).isDirectory) found.push(path);
    else {
      const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => `${path}/${name}`);
      found.push(...await files(names.sort()));
    }
  }
  return found;
}

function compare(
  name: string,
  kind: string,
  truth: readonly TruePicture[],
  listed: readonly ListedPicture[],
  document: Document,
): void {
  const score = scores.get(kind) ??
    Object.fromEntries(ASPECTS.map((aspect) => [aspect, { same: 0, all: 0 }])) as Record<
      typeof ASPECTS[number],
      Score
    >;
  scores.set(kind, score);
  const note = (aspect: typeof ASPECTS[number], isSame: boolean) => {
    score[aspect].all++;
    if (isSame) score[aspect].same++;
  };
  const free = new Set(listed);
  const missing: string[] = [], elsewhere: string[] = [];
  for (const one of truth) {
    const same = [...free].filter((other) => isSamePicture(one, other));
    const found = same.find((other) => isSamePlace(one, other, document)) ?? same[0];
    if (found === undefined) {
      note("located", false);
      missing.push(label(one));
      continue;
    }
    free.delete(found);
    const isLocated = isSamePlace(one, found, document);
    note("located", isLocated);
    if (!isLocated) {
      elsewhere.push(`${label(one)} at ${JSON.stringify(found.box ?? found.cell ?? found.line)}`);
    }
    const size = one.bytes && factsOf(one.bytes);
    if (size?.width !== undefined) {
      note("sizes", size.width === found.width && size.height === found.height);
    }
    if (one.alt) note("alt texts", comparableText(one.alt) === comparableText(found.alt ?? ""));
    if (one.heading) {
      const own = found.section.at(-1) ?? "";
      // The program writes the numbers of numbered headings.
      const isSame = comparableText(own).endsWith(comparableText(one.heading));
      note("headings", isSame);
      if (!isSame) console.log(`  under ${JSON.stringify(own)}, not ${JSON.stringify(one.heading)}`);
    }
  }
  note("counted", missing.length === 0 && free.size === 0);
  if (missing.length + free.size + elsewhere.length === 0) return;
  const first = (list: readonly string[]) => list.slice(0, 3).join("; ");
  console.log(
    `${name}: ${listed.length} listed, ${truth.length} true` +
      (missing.length > 0 ? `; ${missing.length} missing: ${first(missing)}` : "") +
      (free.size > 0 ? `; ${free.size} more: ${first([...free].map(ownLabel))}` : "") +
      (elsewhere.length > 0 ? `; ${elsewhere.length} elsewhere: ${first(elsewhere)}` : ""),
  );
}

function label({ page, width, height, sha256, link, name, box, cell, before }: TruePicture): string {
  const where = box ?? cell ?? before;
  return `${page ?? ""} ${name ?? `${width} x ${height}`} ${(sha256 ?? link ?? "").slice(0, 20)} ${
    JSON.stringify(where)
  }`;
}

function ownLabel({ page, width, height, sha256, link, mediaType, box, cell }: ListedPicture): string {
  return `${page ?? ""} ${width} x ${height} ${mediaType ?? ""} ${(sha256 ?? link ?? "").slice(0, 20)} ${
    JSON.stringify(box ?? cell ?? "")
  }`;
}

function isSamePicture(one: TruePicture, other: ListedPicture): boolean {
  if (one.page !== undefined && other.page !== undefined && one.page !== other.page) return false;
  if (one.sha256 !== undefined) return one.sha256 === other.sha256;
  if (one.link !== undefined) return one.link === other.link;
  if (one.isMissing) return other.problem === "missing" || other.problem === "linked";
  return one.width === other.width && one.height === other.height;
}

function isSamePlace(one: TruePicture, other: ListedPicture, { text, images }: Document): boolean {
  if (one.cell !== undefined) return one.cell === other.cell;
  if (one.box !== undefined) {
    const box = other.box;
    if (box === undefined) return false;
    return (["left", "top", "width", "height"] as const)
      .every((side) => Math.abs(one.box![side] - box[side]) <= NEAR);
  }
  const at = images?.[other.number - 1]?.at;
  if (at === undefined) return false;
  const [before, after] = [comparableText(text.slice(0, at)), comparableText(text.slice(at))];
  const whole = before + after;
  const far = one.isInTable ? 20 * NEAR_TEXT : NEAR_TEXT;
  const near = (words: string | undefined, from: number, to: number) =>
    words === undefined || words.length < 4 ||
    whole.slice(Math.max(0, before.length - from), before.length + to).includes(words);
  return near(one.before, far, NEAR_TEXT) && near(one.after, far, NEAR_TEXT);
}
