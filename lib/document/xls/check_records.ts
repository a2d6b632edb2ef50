import { DocumentError } from "../types.ts";

const END_OF_SHEET = 0x0a;

/**
 * Least bytes of records that begin with a count: the texts of formulas in Excel 2, and references between sheets. The
 * library reads without end if the count is missing.
 */
const LEAST_BYTES: ReadonlyMap<number, number> = new Map([[0x07, 1], [0x17, 2]]);

/** Throws {@linkcode DocumentError} `damaged` if the count of a record is missing for which the library does not end. */
export function checkRecords(content: Uint8Array): void {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let before = 0;
  for (let at = 0; at + 4 <= content.length;) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    // Padding after the last sheet, which the library does not read either.
    if (type === 0 && before === END_OF_SHEET) return;
    if (length < (LEAST_BYTES.get(type) ?? 0)) {
      throw new DocumentError("damaged", "a record of the workbook is cut off");
    }
    before = type;
    at += 4 + length;
  }
}
