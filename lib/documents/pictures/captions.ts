/** The texts that pictures stand at: captions, which begin like `Figure 3` or `图 3`, and other texts beside them. */
import type { Section } from "../types.ts";

/** A caption, with its place in the text of the document. */
export interface Caption {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Matches the beginning of a caption of a picture. */
const CAPTION =
  /^(?:fig(?:ure|\.)?|scheme|chart|plate|photo(?:graph)?|illustration|image|picture|map|diagram|abb(?:ildung|\.)|bild|figura|图片?|圖片?|附图|附圖|照片|示意图)\s*[\d一二三四五六七八九十]|^fig(?:ure|\.)?\s*[A-Z]?[\d.]/i;
/** Longest caption in UTF-16 units, and white space between it and its picture. */
const LONGEST = 1_000, FARTHEST = 20;
/** Matches the line of a picture in normalised Markdown. */
const PICTURE = /^!\[[^\]\n]{0,1000}\]\([^)\n]{0,1000}\)/;

/** Whether a text is the caption of a picture. */
export function isPictureCaption(text: string): boolean {
  return CAPTION.test(unmarked(text.slice(0, 100)));
}

/** Returns the caption of the picture at an offset: the paragraph after it, or else the one before. Takes constant time. */
export function captionNear(text: string, at: number): Caption | undefined {
  return captionAfter(text, at) ?? captionBefore(text, at);
}

function captionAfter(text: string, at: number): Caption | undefined {
  let start = skipped(text, at);
  const own = PICTURE.exec(text.slice(start, start + 2 * LONGEST));
  if (own !== null) start = skipped(text, start + own[0].length);
  const part = text.slice(start, start + LONGEST);
  const end = part.search(/\n[ \t]*\n|\n*$/);
  return captionIn(text, start, start + (end < 0 ? part.length : end));
}

function captionBefore(text: string, at: number): Caption | undefined {
  let end = at;
  while (end > 0 && at - end < FARTHEST && /\s/.test(text[end - 1]!)) end--;
  const part = text.slice(Math.max(0, end - LONGEST), end);
  const start = Math.max(0, part.lastIndexOf("\n\n") + 2);
  return part.includes("\n\n") || end <= LONGEST
    ? captionIn(text, end - part.length + (part.includes("\n\n") ? start : 0), end)
    : undefined;
}

function captionIn(text: string, start: number, end: number): Caption | undefined {
  const found = text.slice(start, end).trim();
  return isPictureCaption(found) ? { text: unmarked(found), start, end } : undefined;
}

/**
 * Returns a function that gives the offset of the text at which a picture stands: the text after it, or the one before if a heading
 * follows or nothing.
 */
export function placesIn(text: string, sections: readonly Pick<Section, "start">[]): (at: number) => number {
  const headings = new Set(sections.map(({ start }) => start));
  return (at) => {
    let next = at;
    while (next < text.length && /\s/.test(text[next]!)) next++;
    const isEnd = next === text.length;
    if (!isEnd && (next === at || !headings.has(next))) return next;
    let last = at - 1;
    while (last >= 0 && /\s/.test(text[last]!)) last--;
    return last >= 0 ? last : isEnd ? 0 : next;
  };
}

function skipped(text: string, at: number): number {
  let to = at;
  while (to < text.length && to - at < FARTHEST && /\s/.test(text[to]!)) to++;
  return to;
}

/** Returns a paragraph without emphasis and marks of quotations, on one line. */
function unmarked(text: string): string {
  return text.replace(/^[>\s*_]+|[*_\s]+$/g, "").replace(/\*\*|__/g, "").replace(/\s+/g, " ");
}
