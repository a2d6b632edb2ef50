/** The pictures inside of documents in which text is recognised. */
import type { ListedPicture } from "../pictures/types.ts";
import type { Document } from "../types.ts";
import { hasText } from "./request.ts";

/** A picture in which text may be recognised. */
export interface PictureToRecognise {
  /** Counted from 1 among the pictures of the document. */
  readonly number: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Whether text may be recognised in pictures of a document. Texts keep their form, and pictures are documents themselves. */
export function mayHoldPictures(
  { images = [] }: Pick<Document, "images">,
  format: string | undefined,
): boolean {
  return images.length > 0 && format !== undefined && !["text", "code", "image"].includes(format);
}

/** Media types that Tesseract reads. */
const READABLE = new Set(["image/png", "image/jpeg", "image/tiff", "image/bmp", "image/webp"]);
/**
 * Fewest pixels of a side, and of a picture. A line of letters needs a height of 24 pixels; icons have up to 96 × 96, and a rule or
 * a bullet is thinner. What is smaller is taken to be decoration.
 */
const LEAST_SIDE = 24, LEAST_PIXELS = 10_000;
/**
 * Square points from which a picture on a page of a PDF with text is taken to be the ground on which the text is written, or the scan
 * under its own text: half of an A4 page.
 */
const GROUND = 250_000;
/** Most pictures of a document in which text is recognised, and most pixels of all of them: about ten minutes of work. */
export const MOST_PICTURES = 200;
export const MOST_PICTURE_PIXELS = 400_000_000;

/**
 * Returns the pictures of a document in which text is to be recognised, each content once, where it stands first; and the number of
 * those beyond the limits. `drawn`: the numbers of the pages whose pictures are recognised with them.
 */
export function picturesToRecognise(
  { text, pages = [] }: Document,
  listed: readonly ListedPicture[],
  format: string,
  drawn: ReadonlySet<number>,
): { readonly pictures: readonly PictureToRecognise[]; readonly left: number } {
  const written = new Set(
    pages.filter(({ start, end }) => hasText(text.slice(start, end))).map(({ number }) => number),
  );
  const seen = new Set<string>();
  const pictures: PictureToRecognise[] = [];
  let pixels = 0, left = 0;
  for (const { number, page = 0, width, height, mediaType, problem, sha256, box } of listed) {
    const isReadable = mediaType === undefined ? problem === undefined : READABLE.has(mediaType);
    if (!isReadable || sha256 === undefined || seen.has(sha256) || drawn.has(page)) continue;
    // A TIFF does not say its size here.
    const [across, down] = [width ?? Infinity, height ?? Infinity];
    if (Math.min(across, down) < LEAST_SIDE || across * down < LEAST_PIXELS) continue;
    const isGround = format === "pdf" && box !== undefined && box.width * box.height >= GROUND;
    if (isGround && written.has(page)) continue;
    seen.add(sha256);
    const size = (width ?? 1_000) * (height ?? 1_000);
    if (pictures.length === MOST_PICTURES || pixels + size > MOST_PICTURE_PIXELS) {
      left++;
      continue;
    }
    pixels += size;
    pictures.push({ number, sha256 });
  }
  return { pictures, left };
}
