import { broken, Sectors } from "./sectors.ts";

const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
/** Shorter streams are in mini sectors. */
const LEAST_BYTES = 4096;
const KIND = { folder: 1, stream: 2, root: 5 } as const;

/** An entry of the directory (MS-CFB 2.6.1). */
interface Entry {
  readonly name: string;
  readonly kind: number;
  /** Numbers of other entries, or -1. */
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * Returns the streams of a compound file (MS-CFB) by path in lower case, without the name of the root. Streams in folders
 * are left out unless `nested` is set: embedded documents have streams of the same names there. Entries and sectors that are
 * missing because the file is cut off are left out. Throws {@linkcode DocumentError} `damaged`.
 *
 * The library `cfb` does not end on some damaged files: it follows chains and entries that lead in a circle.
 */
export function readStreams(bytes: Uint8Array, { nested = false } = {}): Map<string, Uint8Array> {
  const sectors = new Sectors(bytes);
  const entries = entriesOf(sectors.contentOf(sectors.header(48)));
  const root = entries[0];
  if (root?.kind !== KIND.root) throw broken("it has no directory");
  const mini = new MiniSectors(sectors.contentOf(root.start), sectors.contentOf(sectors.header(60)));
  const streams = new Map<string, Uint8Array>();
  let left = bytes.length;
  for (const [path, { start, size }] of pathsOf(entries)) {
    if (!nested && path.includes("/")) continue;
    const content = size < LEAST_BYTES ? mini.contentOf(start, size) : sectors.contentOf(start, size);
    // Each sector is a part of one stream.
    left -= content.length;
    if (left < 0) throw broken("its streams are longer than the file");
    streams.set(path, content);
  }
  return streams;
}

function entriesOf(directory: Uint8Array): Entry[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(view.getUint16(at + 64, true), 64);
    entries.push({
      name: new TextDecoder("utf-16le").decode(directory.subarray(at, at + nameBytes)).replaceAll("\0", ""),
      kind: directory[at + 66]!,
      left: view.getInt32(at + 68, true),
      right: view.getInt32(at + 72, true),
      child: view.getInt32(at + 76, true),
      start: view.getInt32(at + 116, true),
      size: view.getUint32(at + 120, true),
    });
  }
  return entries;
}

/** Yields the paths of the streams and their entries. An entry that is named a second time is ignored. */
function* pathsOf(entries: readonly Entry[]): Generator<[string, Entry]> {
  const open: [number: number, folder: string][] = [[entries[0]!.child, ""]];
  const seen = new Set<number>([0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [number, folder] = next;
    const entry = entries[number];
    if (entry === undefined || seen.has(number)) continue;
    seen.add(number);
    const path = `${folder}${entry.name.toLowerCase()}`;
    open.push([entry.left, folder], [entry.right, folder]);
    if (entry.kind === KIND.folder) open.push([entry.child, `${path}/`]);
    if (entry.kind === KIND.stream) yield [path, entry];
  }
}

/** The parts of the root's stream that short streams consist of, and their chains (MS-CFB 2.4). */
class MiniSectors {
  readonly #content: Uint8Array;
  readonly #next: DataView;

  constructor(content: Uint8Array, table: Uint8Array) {
    this.#content = content;
    this.#next = new DataView(table.buffer, table.byteOffset, table.byteLength);
  }

  contentOf(first: number, size: number): Uint8Array {
    const content = new Uint8Array(size);
    let length = 0;
    for (let at = first; at >= 0 && length < size; at = this.#after(at)) {
      const start = at * MINI_SECTOR_BYTES;
      const part = this.#content.subarray(start, start + Math.min(MINI_SECTOR_BYTES, size - length));
      if (part.length === 0) break;
      content.set(part, length);
      length += part.length;
    }
    return content.subarray(0, length);
  }

  #after(sector: number): number {
    return 4 * sector + 4 <= this.#next.byteLength ? this.#next.getInt32(4 * sector, true) : -1;
  }
}
