/**
 * The pictures of a PDF, and where they stand in its text: in front of their caption, or else below the text above them.
 */
import type { Block } from "./blocks.ts";
import { blockText } from "./blocks.ts";
import { boundsOf, type Box } from "./lines.ts";
import { DocumentError, type FileName } from "../types.ts";
import { isPictureCaption } from "../pictures/captions.ts";
import type { PictureSource } from "../pictures/types.ts";

/** A picture with its place on the page, in points. */
export interface PdfPicture extends PictureSource {
  readonly on: Box;
}

/** Most pictures of a document. */
const MOST_PICTURES = 50_000;
/** The mark of a picture. The dictionaries of pictures are not compressed, unlike other objects. */
const MARK = /\/Subtype\s{0,20}\/Image\b/;
/** Bytes that are searched for the mark at a time, and the part that is searched twice. */
const STEP = 1_000_000, OVERLAP = 60;

/**
 * Returns the pictures of each page that has any. Empty if pictures are ignored, and for a file that PDFium cannot read. A file is opened
 * if it has pictures of their own, or a page without text, which may be a picture in its drawing; others in drawings are small.
 */
export async function picturesOf(
  bytes: Uint8Array<ArrayBuffer>,
  { ignoreImages, sources }: FileName,
  { hasEmptyPage }: { readonly hasEmptyPage: boolean },
): Promise<ReadonlyMap<number, readonly PdfPicture[]>> {
  const found = new Map<number, PdfPicture[]>();
  if (ignoreImages || !hasEmptyPage && !hasPictures(bytes)) return found;
  try {
    const { openWithPdfium } = await import("../pdfium/pdfium.ts");
    const pdf = await openWithPdfium(bytes);
    const pageOf = (number: number) => {
      try {
        return pdf.page(number);
      } catch (error) {
        // The other pages may be readable.
        if (error instanceof DocumentError && error.problem === "damaged") return undefined;
        throw error;
      }
    };
    for (let number = 1, count = 0; number <= pdf.pageCount && count < MOST_PICTURES; number++) {
      const page = pageOf(number);
      if (page === undefined) continue;
      for (const { box, width, height, stored, pixels, filters } of page.pictures()) {
        const { left, top, right, bottom } = box;
        // The bytes are a file only if nothing but the JPEG's compression was applied.
        const isFile = filters.length === 1 && filters[0] === "DCTDecode";
        const source = sources === undefined
          ? {}
          : { bytes: stored, ...(isFile ? {} : { pixels }), width, height };
        const place = { left, top, width: right - left, height: bottom - top };
        const list = found.get(number) ?? [];
        found.set(number, list);
        const share = place.width * place.height / (page.width * page.height);
        list.push({
          on: box,
          box: place,
          ...source,
          ...(share >= 0 && sources !== undefined ? { share } : {}),
        });
        if (++count === MOST_PICTURES) break;
      }
      // Its pictures are read later if their sources are wanted.
      if (sources === undefined) page[Symbol.dispose]();
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
  }
  return found;
}

function hasPictures(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("latin1");
  for (let at = 0; at < bytes.length; at += STEP) {
    if (MARK.test(decoder.decode(bytes.subarray(at, at + STEP + OVERLAP)))) return true;
  }
  return false;
}

/** Greatest distance of a caption from its picture, in points. */
const FARTHEST = 60;

/** Returns the pictures of a page by the index of the block that they stand in front of; the number of blocks for the end. */
export function placedPictures(
  pictures: readonly PdfPicture[],
  blocks: readonly Block[],
): ReadonlyMap<number, readonly PictureSource[]> {
  const placed = new Map<number, PictureSource[]>();
  if (pictures.length === 0) return placed;
  const boxes = blocks.map(boxOf);
  const captions = blocks.flatMap((block, i) => {
    const text = block.kind === "table" ? "" : blockText(block);
    return isPictureCaption(text) ? [{ i, text }] : [];
  });
  for (const { on, ...picture } of pictures) {
    const near = captions.map(({ i, text }) => ({ i, text, far: distance(on, boxes[i]!) }))
      .filter(({ far }) => far <= FARTHEST).sort((a, b) => a.far - b.far)[0];
    const at = near?.i ?? placeIn(boxes, on);
    const list = placed.get(at) ?? [];
    placed.set(at, list);
    list.push(near === undefined ? picture : { ...picture, caption: near.text });
  }
  return placed;
}

/** Returns the box of a block without the lines that stand on later pages. */
function boxOf(block: Block): Box {
  if (block.kind === "table") return block.table;
  const { lines } = block;
  const next = lines.findIndex((line, i) => i > 0 && line.top < lines[i - 1]!.top);
  return boundsOf(next < 0 ? lines : lines.slice(0, next));
}

/** Returns the distance of a caption from a picture in points: one above counts double. Infinite if they lie side by side. */
function distance(picture: Box, caption: Box): number {
  const isBeside = caption.right < picture.left || caption.left > picture.right;
  if (isBeside) return Infinity;
  const below = caption.top - picture.bottom, above = picture.top - caption.bottom;
  const height = caption.bottom - caption.top;
  if (below >= -height) return Math.max(0, below);
  return above >= -height ? 2 * Math.max(0, above) : Infinity;
}

/** Returns the index after the lowest block above a picture in its columns; 0 if there is none. */
function placeIn(boxes: readonly Box[], { left, right, top }: Box): number {
  let place = 0, lowest = -Infinity;
  for (const [i, box] of boxes.entries()) {
    const isAbove = box.left < right && box.right > left && box.top <= top;
    if (!isAbove || box.bottom < lowest) continue;
    lowest = box.bottom;
    place = i + 1;
  }
  return place;
}
