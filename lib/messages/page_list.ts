/** Page numbers (ascending) as people write them: `1, 3–7`. */
export function pageList(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === page) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`).join(", ");
}
