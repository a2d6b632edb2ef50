/** Places that are named; more of them are counted. */
const MAX_NAMED = 5;

/** A part of a file. */
interface Place {
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly page?: number;
}

/** `a.html:12-20, a.pdf p. 3, +2`: the first places, by page where they have one. As they are: nothing is made printable. */
export function placeList(places: readonly Place[]): string {
  const named = places.slice(0, MAX_NAMED).map(({ filePath, startLine, endLine, page }) => {
    if (page !== undefined) return `${filePath} p. ${page}`;
    return `${filePath}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
  });
  const more = places.length - named.length;
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}
