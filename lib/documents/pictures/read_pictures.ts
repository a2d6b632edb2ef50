/**
 * Answers requests for the pictures of a document, and for its pages as pictures. Runs where loaders run, without rights.
 * Below it: the caption and the headings of a picture, and pages of a PDF.
 */
import { createHash } from "node:crypto";
import { bytesToText } from "../decode.ts";
import { cut } from "../metadata.ts";
import { type FormatName, formatOf, loaderOfFormat } from "../formats.ts";
import { openWithPdfium } from "../pdfium/pdfium.ts";
import { type Document, DocumentError, type FileName, given, type Image } from "../types.ts";
import { loadDocument } from "../read_document.ts";
import { captionNear, placesIn } from "./captions.ts";
import { dataSource } from "./references.ts";
import { factsOf, READABLE, SHOWN } from "./facts.ts";
import { fittedFile, type FittedPicture, fittedPixels, type PictureLimit } from "./fit.ts";
import { imageReferences } from "./references.ts";
import {
  type ListedPicture,
  type PictureAnswer,
  type PictureBox,
  type PictureRequest,
  type PictureSource,
  USUAL_PAGE,
} from "./types.ts";

/** Pictures that are listed. A catalogue of icons may have more. */
const MOST_LISTED = 1_000;

/** An answer with the bytes of what is given, in its order. */
export interface PicturesRead {
  readonly answer: PictureAnswer;
  readonly contents: readonly Uint8Array<ArrayBuffer>[];
}

/** Answers a request for the pictures of the document in `bytes`. Throws {@linkcode DocumentError}. */
export async function readPictures(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileName,
  request: PictureRequest,
): Promise<PicturesRead> {
  if (request.want === "page") return await pagePicture(bytes, file, request);
  const found = await picturesOf(bytes, file);
  if (request.want === "list") {
    const listed = found.pictures.slice(0, MOST_LISTED).map((picture) => picture.listed());
    const more = found.pictures.length - listed.length;
    return { answer: { pictures: listed, ...given({ more: more || undefined }) }, contents: [] };
  }
  const pictures: ListedPicture[] = [];
  const contents: Uint8Array<ArrayBuffer>[] = [];
  for (const number of request.numbers) {
    const picture = found.pictures[number - 1];
    if (picture === undefined) continue;
    const { problem, ...known } = picture.listed();
    const isReadable = request.isPlain && problem === "unsupported" && READABLE.has(known.mediaType ?? "");
    const listed: ListedPicture = problem === undefined || isReadable ? known : { ...known, problem };
    if (listed.problem !== undefined) {
      pictures.push(listed);
      continue;
    }
    try {
      const { bytes: fitted, look, ...facts } = await picture.fitted(request);
      if (look === "blank") {
        pictures.push({ ...listed, look });
        continue;
      }
      pictures.push({ ...listed, given: { ...facts, size: fitted.length }, ...given({ look }) });
      contents.push(fitted);
    } catch (error) {
      // The others are given all the same.
      pictures.push({ ...listed, problem: problemOf(error) });
    }
  }
  return { answer: { pictures }, contents };
}

/** A picture that was found, and is read when asked. */
interface FoundPicture {
  readonly listed: () => ListedPicture;
  readonly fitted: (limit: PictureLimit) => Promise<FittedPicture>;
}

async function picturesOf(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileName,
): Promise<{ readonly pictures: readonly FoundPicture[] }> {
  const sources: PictureSource[] = [];
  const document = await documentOf(bytes, file, sources);
  const { images = [], text, sections } = document;
  const lines = new LineCounter(text);
  const placeOf = placesIn(text, sections);
  const pictures = sources.slice(0, images.length).map((source, i): FoundPicture => ({
    listed: () => listedPicture(i + 1, document, images[i]!, source, { lines, placeOf }),
    fitted: async (limit) => {
      const own = source.pixels === undefined ? undefined : source.pixels();
      if (own !== undefined) return await fittedPixels(own, limit);
      return await fittedFile(source.bytes?.() ?? new Uint8Array(), limit);
    },
  }));
  return { pictures };
}

/** Returns where the pictures of a document are, in their order. Throws {@linkcode DocumentError}. */
export async function pictureSources(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileName,
): Promise<readonly PictureSource[]> {
  const sources: PictureSource[] = [];
  await documentOf(bytes, file, sources);
  return sources;
}

/** Reads a document, and fills `sources` in the order of its pictures. */
async function documentOf(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileName,
  sources: PictureSource[],
): Promise<Document> {
  if (factsOf(bytes) !== undefined && formatOf(bytes, file.path) === undefined) {
    sources.push({ bytes: () => bytes });
    return { text: "", sections: [], images: [{ at: 0 }] };
  }
  const format: FormatName | undefined = formatOf(bytes, file.path);
  if (format !== undefined) return await (await loaderOfFormat(format))!.load(bytes, { ...file, sources });
  const { text } = await bytesToText(bytes, file);
  const images: Image[] = [];
  for (const { at, reference, alternative } of imageReferences(text)) {
    images.push({ at });
    const place = /^data:/i.test(reference) ? dataSource(reference) : { link: reference };
    sources.push({ ...place, alt: alternative });
  }
  return { ...loadDocument(file.path, text), images };
}

function listedPicture(
  number: number,
  { text, sections, pages }: Document,
  { at, page }: Image,
  source: PictureSource,
  { lines, placeOf }: { readonly lines: LineCounter; readonly placeOf: (at: number) => number },
): ListedPicture {
  const facts = storedFacts(source);
  const { alt, box, share = box && box.width * box.height / USUAL_PAGE, cell, link } = source;
  const caption = source.caption ?? captionNear(text, at)?.text;
  const place = placeOf(at);
  const section = sections.findLast(({ start, end }) => start <= place && place < end)?.path ?? [];
  return {
    number,
    line: lines.at(place),
    section,
    ...given({
      page: pages && page,
      box: box && rounded(box),
      share: share === undefined ? undefined : Math.round(Math.max(0, Math.min(1, share)) * 1000) / 1000,
      cell,
      ...facts,
      alt: shortened(alt),
      caption: shortened(caption),
      link,
    }),
  };
}

/** UTF-16 units of an alternative text or a caption that are shown: some say as much as a document. */
const LONGEST_SAID = 1_000;

function shortened(text: string | undefined): string | undefined {
  const said = text?.trim();
  return said === undefined || said.length <= LONGEST_SAID ? said : `${cut(said, LONGEST_SAID)}…`;
}

function rounded({ left, top, width, height }: PictureBox): PictureBox {
  const one = (value: number) => Math.round(value * 10) / 10;
  return { left: one(left), top: one(top), width: one(width), height: one(height) };
}

/** Returns the facts in the bytes of a picture, or why it cannot be shown. */
function storedFacts(
  source: PictureSource,
): Omit<ListedPicture, "number" | "line" | "section"> {
  const { width, height, link } = source;
  if (link !== undefined) return { ...given({ width, height }), problem: "linked" };
  try {
    const bytes = source.bytes?.();
    if (bytes === undefined || bytes.length === 0) return { ...given({ width, height }), problem: "missing" };
    const facts = factsOf(bytes);
    const isShown = source.pixels !== undefined || facts !== undefined && SHOWN.has(facts.mediaType);
    return {
      ...given({ width, height }),
      ...given({ ...facts }),
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      ...(isShown ? {} : { problem: "unsupported" as const }),
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { ...given({ width, height }), problem: problemOf(error) };
  }
}

/** Returns why a picture cannot be shown. Errors other than {@linkcode DocumentError} are caused by broken bytes. */
function problemOf(error: unknown): NonNullable<ListedPicture["problem"]> {
  const problem = error instanceof DocumentError ? error.problem : undefined;
  return problem === "too_complex" || problem === "unsupported" ? problem : "damaged";
}

/** Counts the lines of a text up to offsets that mostly ascend. */
class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the line of an offset, counted from 1. */
  at(wanted: number): number {
    if (wanted < this.#at) [this.#at, this.#line] = [0, 1];
    for (let next = this.#text.indexOf("\n", this.#at); next >= 0 && next < wanted;) {
      this.#line++;
      this.#at = next + 1;
      next = this.#text.indexOf("\n", this.#at);
    }
    return this.#line;
  }
}

/** Longest side of a page in pixels. */
const LONGEST_SIDE = 4_000;

/** Draws a page of a PDF. Throws {@linkcode DocumentError}. A page that does not exist has no picture. */
async function pagePicture(
  bytes: Uint8Array<ArrayBuffer>,
  { path }: FileName,
  { number, width, bytes: most }: Extract<PictureRequest, { want: "page" }>,
): Promise<PicturesRead> {
  if (formatOf(bytes, path) !== "pdf") {
    throw new DocumentError("unsupported", "only the pages of PDFs can be drawn");
  }
  const pdf = await openWithPdfium(bytes);
  const { pageCount } = pdf;
  if (number > pageCount) return { answer: { pictures: [], pageCount }, contents: [] };
  using page = pdf.page(number);
  if (!(page.width > 0 && page.height > 0)) throw new DocumentError("damaged", "the page has no size");
  const scale = Math.min(width / page.width, LONGEST_SIDE / page.height);
  const size = [page.width, page.height].map((one) => Math.max(1, Math.round(one * scale)));
  const pixels = page.render(size[0]!, size[1]!);
  const { bytes: fitted, ...facts } = await fittedPixels(pixels, { side: LONGEST_SIDE, bytes: most });
  const answer = { pictures: [], given: { ...facts, size: fitted.length }, pageCount };
  return { answer, contents: [fitted] };
}
