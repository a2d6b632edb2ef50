/** The pictures of a document that are worth a description: large on their page, and no decoration. */
import { READABLE } from "./facts.ts";
import type { ListedPicture } from "./types.ts";

/** A picture to be described. */
export interface PictureToCaption {
  /** Counted from 1 among the pictures of the document. */
  readonly number: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Least part of a page or slide that a picture must take. */
const LEAST_SHARE = 0.05;
/** Pixels of an A4 page at 96 in an inch, for pictures whose place is not known. */
const PAGE_PIXELS = 794 * 1123;
/** Fewest pixels of a side; and the most by which one side may exceed the other. A rule, a bullet or a banner has other sides. */
const LEAST_SIDE = 48, MOST_RATIO = 10;
/** Places of a picture in a document from which it is furniture, such as a logo on each slide. */
const REPEATED = 3;
/** Most pixels of a side, and of a picture. One with more is hostile, or a map of which nothing would be left. */
const MOST_SIDE = 20_000, MOST_PIXELS = 50_000_000;
/** Most pictures of a document that are described. */
const MOST_CAPTIONED = 100;

/**
 * Returns the pictures of a document that are worth a description, each content once, where it stands first; and the number of those
 * beyond the limit. `listed`: all its pictures. A document that is a picture is described in any size that can be seen.
 */
export function picturesToCaption(
  listed: readonly ListedPicture[],
  { isPicture = false }: { readonly isPicture?: boolean } = {},
): { readonly pictures: readonly PictureToCaption[]; readonly left: number } {
  const places = new Map<string, number>();
  for (const { sha256 = "" } of listed) places.set(sha256, (places.get(sha256) ?? 0) + 1);
  const seen = new Set<string>();
  const found: PictureToCaption[] = [];
  for (const picture of listed) {
    const { number, sha256 } = picture;
    if (sha256 === undefined || seen.has(sha256) || places.get(sha256)! >= REPEATED) continue;
    if (!isSeen(picture) || !isPicture && shareOf(picture) < LEAST_SHARE) continue;
    seen.add(sha256);
    found.push({ number, sha256 });
  }
  return { pictures: found.slice(0, MOST_CAPTIONED), left: Math.max(0, found.length - MOST_CAPTIONED) };
}

/** Whether a picture can be read, and is neither a rule nor too large. A TIFF does not say its size before it is read. */
function isSeen({ width = 0, height = 0, problem, mediaType = "" }: ListedPicture): boolean {
  if (problem !== undefined && !(problem === "unsupported" && READABLE.has(mediaType))) return false;
  if (mediaType === "image/tiff" && width === 0) return true;
  const [short, long] = width < height ? [width, height] : [height, width];
  return short >= LEAST_SIDE && long <= MOST_RATIO * short && long <= MOST_SIDE &&
    width * height <= MOST_PIXELS;
}

function shareOf({ share, width = 0, height = 0, mediaType }: ListedPicture): number {
  return share ?? (mediaType === "image/tiff" && width === 0 ? 1 : width * height / PAGE_PIXELS);
}
