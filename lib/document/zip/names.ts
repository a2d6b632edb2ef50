/** "PK\5\6": the end of the central directory. */
const END = 0x06054b50;
/** "PK\1\2": an entry of the central directory. */
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
/** The end record may be followed by a comment of so many bytes. */
const MAX_COMMENT = 0xffff;

/**
 * The names of the entries of a ZIP archive, at most `limit`, without inflating anything (APPNOTE.TXT 4.3.12). Empty where
 * the central directory is missing or broken.
 */
export function zipNames(bytes: Uint8Array, limit: number): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  if (end < 0) return [];
  const decoder = new TextDecoder();
  const names: string[] = [];
  let at = view.getUint32(end + 16, true);
  while (names.length < limit && at + ENTRY_BYTES <= view.byteLength && view.getUint32(at, true) === ENTRY) {
    const length = view.getUint16(at + 28, true);
    names.push(decoder.decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + length)));
    at += ENTRY_BYTES + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return -1;
}
