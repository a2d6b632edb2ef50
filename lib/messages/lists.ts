/** Places listed by {@linkcode placeList}; the rest is a count. */
const MAX_NAMED = 5;

/** A part of a file. */
interface Place {
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly page?: number;
}

/** The first places as text, by page if they have one: `a.html:12-20, a.pdf p. 3, +2`. File names are not made printable. */
export function placeList(places: readonly Place[]): string {
  const named = places.slice(0, MAX_NAMED).map(({ filePath, startLine, endLine, page }) => {
    if (page !== undefined) return `${filePath} p. ${page}`;
    return `${filePath}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
  });
  const more = places.length - named.length;
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

/** Ascending page numbers as text, with ranges: `1, 3–7`. */
export function pageList(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === page) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`).join(", ");
}
