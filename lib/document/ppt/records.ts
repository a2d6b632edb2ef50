import { DocumentError } from "../types.ts";

/** A record of a presentation (MS-PPT 2.3.1). */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** Bytes without the header. */
  readonly data: Uint8Array;
  readonly isContainer: boolean;
}

export const TYPE = {
  slide: 1006,
  slideAtom: 1007,
  persist: 1011,
  outlineReference: 3998,
  textHeader: 3999,
  wideText: 4000,
  narrowText: 4008,
  slideList: 4080,
  edit: 4085,
  directory: 6002,
  textBox: 0xf00d,
} as const;

/**
 * Returns the record at an offset, cut off at the end of the bytes. Throws {@linkcode DocumentError} `damaged` if there is
 * none.
 */
export function recordAt(bytes: Uint8Array, at: number): PptRecord {
  if (at < 0 || at + 8 > bytes.length) throw broken();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.getUint16(at, true);
  const data = bytes.subarray(at + 8, at + 8 + view.getUint32(at + 4, true));
  return {
    type: view.getUint16(at + 2, true),
    instance: head >> 4,
    data,
    isContainer: (head & 0xf) === 0xf,
  };
}

/** Yields the records in a container. */
export function* recordsIn(data: Uint8Array): Generator<PptRecord, void, undefined> {
  for (let at = 0; at + 8 <= data.length;) {
    const record = recordAt(data, at);
    yield record;
    at += 8 + record.data.length;
  }
}

export function uint32(data: Uint8Array, at: number): number {
  if (at + 4 > data.length) throw broken();
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true);
}

export function broken(): DocumentError {
  return new DocumentError("damaged", "the presentation is cut off or broken");
}
