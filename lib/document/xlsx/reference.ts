import type { Range } from "../sheet/types.ts";

/** Position of a cell, counted from 0. */
export interface CellReference {
  readonly row: number;
  readonly column: number;
}

/** Parses a cell reference: `B3` is row 2, column 1. Returns `undefined` for other texts. */
export function cellReference(reference: string | undefined): CellReference | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference ?? "") ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

/** Parses a range: `A1:C2`. */
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
