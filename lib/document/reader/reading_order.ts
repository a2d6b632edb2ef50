/** A position on a page, in any unit. */
export interface Position {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/**
 * Returns items from top to bottom, and those in one row from left to right. Two items share a row if more than half of the
 * height of the larger one lies beside the first of the row.
 */
export function inReadingOrder<T>(items: readonly T[], positionOf: (item: T) => Position): T[] {
  const sorted = items.map((item) => ({ item, position: positionOf(item) }))
    .sort((a, b) => a.position.y - b.position.y);
  const rows: (typeof sorted)[] = [];
  for (const one of sorted) {
    const first = rows.at(-1)?.[0]?.position;
    const overlap = first === undefined ? 0 : first.y + first.height - one.position.y;
    const isBeside = first !== undefined &&
      (one.position.y === first.y || overlap > Math.max(first.height, one.position.height) / 2);
    if (isBeside) rows.at(-1)!.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.position.x - b.position.x)).map(({ item }) => item);
}
