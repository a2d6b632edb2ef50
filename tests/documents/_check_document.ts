import { ok } from "node:assert/strict";
import type { Document } from "#documents/mod.ts";

/** Asserts that sections, pages and images lie in the text, in order, and sections in one another. */
export function checkDocument({ text, sections, pages = [], images = [] }: Document): void {
  ok(text.isWellFormed(), "half of a surrogate pair");
  const open: { end: number; level: number }[] = [];
  let lastStart = 0;
  for (const { start, headingEnd, end, level, title, path } of sections) {
    const place = JSON.stringify({ start, headingEnd, end, level, title, length: text.length });
    ok(0 <= start && start <= headingEnd && headingEnd <= end && end <= text.length, `section ${place}`);
    ok(start >= lastStart, `order of section ${place}`);
    ok(level >= 1 && title.length <= 200 && path.length <= level, `heading ${place}`);
    while (open.length > 0 && open.at(-1)!.end <= start) open.pop();
    ok(open.every((around) => end <= around.end), `overlap of section ${place}`);
    open.push({ end, level });
    lastStart = start;
  }
  let lastEnd = 0;
  for (const { number, start, end } of pages) {
    ok(number >= 1 && lastEnd <= start && start <= end && end <= text.length, `page ${number}`);
    lastEnd = end;
  }
  for (const { at } of images) ok(0 <= at && at <= text.length, `image at ${at}`);
}
