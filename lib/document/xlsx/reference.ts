import type { Range } from "../sheet/types.ts";

/** A place in a sheet, counted from 0. */
export interface CellReference {
  readonly row: number;
  readonly column: number;
}

/** `B3` → row 2, column 1. Nothing for what is no reference. */
export function cellReference(reference: string | undefined): CellReference | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference ?? "") ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

/** `A1:C2` as a range. */
export function rangeOf(reference: string | undefined): Range | undefined {
  const [from, to] = (reference ?? "").split(":").map(cellReference);
  if (from === undefined || to === undefined) return undefined;
  return {
    top: Math.min(from.row, to.row),
    left: Math.min(from.column, to.column),
    bottom: Math.max(from.row, to.row),
    right: Math.max(from.column, to.column),
  };
}
