/** Places listed by {@linkcode placeList}; the rest is a count. */
const MAX_NAMED = 5;

/** A part of a file. */
interface Place {
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * The first places as text, by page if `pageText` has one for them: `a.html:12-20, a.pdf p. 3, +2`. File names are not made printable.
 */
export function placeList<Named extends Place>(
  places: readonly Named[],
  pageText: (place: Named) => string | undefined,
): string {
  const named = places.slice(0, MAX_NAMED).map((place) => {
    const { filePath, startLine, endLine } = place;
    const page = pageText(place);
    if (page !== undefined) return `${filePath} ${page}`;
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
