/** Most pages of a TIFF that are read. */
const MOST_PAGES = 2_000;

/** Returns the number of pages of a TIFF: its directories, which form a chain. 1 for any other file. */
export function tiffPages(bytes: Uint8Array): number {
  return Math.max(1, directoriesOf(bytes).length);
}

/** Returns a copy of a TIFF that begins with another of its pages, counted from 1; `undefined` if it has no such page. */
export function tiffPage(bytes: Uint8Array, number: number): Uint8Array | undefined {
  const directory = directoriesOf(bytes)[number - 1];
  if (directory === undefined) return undefined;
  const page = bytes.slice();
  new DataView(page.buffer).setUint32(4, directory, isLittleEndian(bytes));
  return page;
}

/** Returns the offsets of the directories of a TIFF; empty for any other file. */
function directoriesOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = isLittleEndian(bytes);
  if (bytes.length < 8 || bytes[0] !== bytes[1] || !little && bytes[0] !== 0x4d) return [];
  if (view.getUint16(2, little) !== 42) return [];
  const offsets = new Set<number>();
  for (let at = view.getUint32(4, little); at >= 8 && at + 2 <= bytes.length;) {
    if (offsets.has(at) || offsets.size === MOST_PAGES) break;
    offsets.add(at);
    const next = at + 2 + 12 * view.getUint16(at, little);
    if (next + 4 > bytes.length) break;
    at = view.getUint32(next, little);
  }
  return [...offsets];
}

function isLittleEndian(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49;
}
