/** A position on a page, in any unit. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/**
 * Returns things from top to bottom, and those in one row from left to right. Two things share a row if more than half of
 * the height of the larger one lies beside the first of the row.
 */
export function inReadingOrder<T>(things: readonly T[], placeOf: (thing: T) => Placed): T[] {
  const placed = things.map((thing) => ({ thing, place: placeOf(thing) })).sort((a, b) =>
    a.place.y - b.place.y
  );
  const rows: (typeof placed)[] = [];
  for (const one of placed) {
    const first = rows.at(-1)?.[0]?.place;
    const overlap = first === undefined ? 0 : first.y + first.height - one.place.y;
    const isBeside = first !== undefined &&
      (one.place.y === first.y || overlap > Math.max(first.height, one.place.height) / 2);
    if (isBeside) rows.at(-1)!.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.place.x - b.place.x)).map(({ thing }) => thing);
}
