/**
 * Reads the rows of an SQLite database: pages, B-trees of tables and of tables without row numbers, records.
 * Described in sqlite.org/fileformat2.html. Each page is read once, so that loops end and pages that are shared cost nothing.
 */
import { NumberReader } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";

/** A value of a column. Of bytes, only those that are a text are kept. */
export type SqlValue = string | number | bigint | undefined;

/** A row: its number, if its table has such, and the values that are stored, in their order. */
export interface SqlRow {
  readonly number: number | undefined;
  readonly values: readonly SqlValue[];
}

const HEADER = 100;
/** Types of pages. */
const INNER_INDEX = 2, INNER_TABLE = 5, LEAF_INDEX = 10, LEAF_TABLE = 13;
/** Most columns of a table in SQLite. */
const MOST_COLUMNS = 32_767;

/** The pages of a database file. */
export class Database {
  /** Whether changes may lie in a log beside the file. */
  readonly hasLog: boolean;
  readonly #bytes: Uint8Array;
  readonly #pageSize: number;
  /** Bytes of a page that are used. */
  readonly #usable: number;
  readonly #decoder: TextDecoder;
  readonly #seen = new Set<number>();

  /** Throws {@linkcode DocumentError} `damaged`. */
  constructor(bytes: Uint8Array) {
    const view = viewOf(bytes);
    const size = bytes.length < HEADER ? 0 : view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
    if (size < 512 || (size & (size - 1)) !== 0 || bytes[20]! > size - 480) {
      throw new DocumentError("damaged", "the header of the database is broken");
    }
    this.#bytes = bytes;
    this.#pageSize = size;
    this.#usable = size - bytes[20]!;
    this.hasLog = bytes[18] === 2 || bytes[19] === 2;
    this.#decoder = new TextDecoder(["utf-8", "utf-16le", "utf-16be"][view.getUint32(56) - 1] ?? "utf-8");
  }

  /** Yields the rows of the tree with this root page, in its order. Rows that are cut off or broken are left out. */
  *rows(root: number): Generator<SqlRow, void, undefined> {
    // Pages to be read, the next one last; cells of inner pages of an index are rows too.
    const pending: (number | SqlRow)[] = [root];
    while (pending.length > 0) {
      const next = pending.pop()!;
      if (typeof next !== "number") yield next;
      else {
        const page = this.#page(next);
        if (page === undefined) continue;
        const type = page.bytes[page.start]!;
        if (type === LEAF_TABLE || type === LEAF_INDEX) yield* this.#cells(page, type);
        else if (type === INNER_TABLE || type === INNER_INDEX) {
          pending.push(...this.#children(page, type).reverse());
        }
      }
    }
  }

  /** Returns a page that was not read before. The first one begins with the header of the file. */
  #page(number: number): { readonly bytes: Uint8Array; readonly start: number } | undefined {
    const at = (number - 1) * this.#pageSize;
    if (number < 1 || at + this.#pageSize > this.#bytes.length || this.#seen.has(number)) return undefined;
    this.#seen.add(number);
    return { bytes: this.#bytes.subarray(at, at + this.#pageSize), start: number === 1 ? HEADER : 0 };
  }

  /** Returns the offsets of the cells of a page. */
  #offsets({ bytes, start }: { bytes: Uint8Array; start: number }, header: number): number[] {
    const view = viewOf(bytes);
    const count = Math.min(view.getUint16(start + 3), Math.floor((bytes.length - start - header) / 2));
    return Array.from({ length: count }, (_, i) => view.getUint16(start + header + 2 * i));
  }

  #children(page: { bytes: Uint8Array; start: number }, type: number): (number | SqlRow)[] {
    const view = viewOf(page.bytes);
    const found: (number | SqlRow)[] = [];
    const room = { left: page.bytes.length };
    for (const offset of this.#offsets(page, 12)) {
      if (offset + 4 > page.bytes.length) continue;
      found.push(view.getUint32(offset));
      const row = type === INNER_INDEX ? this.#row(page.bytes, offset + 4, false, room) : undefined;
      if (row !== undefined) found.push(row);
    }
    found.push(view.getUint32(page.start + 8));
    return found;
  }

  *#cells(page: { bytes: Uint8Array; start: number }, type: number): Generator<SqlRow, void, undefined> {
    // Cells do not overlap, or a page would have many times its size in text.
    const room = { left: page.bytes.length };
    for (const offset of this.#offsets(page, 8)) {
      const row = this.#row(page.bytes, offset, type === LEAF_TABLE, room);
      if (row !== undefined) yield row;
    }
  }

  #row(page: Uint8Array, offset: number, isTable: boolean, room: { left: number }): SqlRow | undefined {
    const reader = new NumberReader(page, offset);
    const size = reader.highFirst();
    const number = isTable ? reader.highFirst() : undefined;
    const most = isTable ? this.#usable - 35 : Math.floor((this.#usable - 12) * 64 / 255) - 23;
    const least = Math.floor((this.#usable - 12) * 32 / 255) - 23;
    const spilled = least + (size - least) % (this.#usable - 4);
    const local = size <= most ? size : spilled <= most ? spilled : least;
    room.left -= local;
    if (room.left < 0 || reader.at + local > page.length) return undefined;
    let payload = page.subarray(reader.at, reader.at + local);
    if (local < size) {
      const first = reader.at + local + 4 <= page.length ? viewOf(page).getUint32(reader.at + local) : 0;
      payload = this.#joined(payload, size, first);
    }
    return { number, values: this.#record(payload) };
  }

  /** Joins a payload that continues on other pages. A chain that ends early gives the bytes before. */
  #joined(local: Uint8Array, size: number, first: number): Uint8Array {
    const parts = [local];
    let length = local.length;
    for (let number = first; number !== 0 && length < size;) {
      const page = this.#page(number)?.bytes;
      if (page === undefined) break;
      const part = page.subarray(4, Math.min(this.#usable, 4 + size - length));
      parts.push(part);
      length += part.length;
      number = viewOf(page).getUint32(0);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** Reads the values of a record: the type of each, then their bytes. */
  #record(payload: Uint8Array): SqlValue[] {
    const header = new NumberReader(payload, 0);
    const end = Math.min(header.highFirst(), payload.length);
    const values: SqlValue[] = [];
    let at = end;
    while (header.at < end && values.length < MOST_COLUMNS) {
      const type = header.highFirst();
      const length = type >= 12 ? (type - 12) >> 1 : LENGTHS[type] ?? 0;
      const bytes = payload.subarray(at, at + length);
      at += length;
      if (type < 12) values.push(valueOf(type, bytes));
      else values.push(type % 2 === 1 ? this.#decoder.decode(bytes) : textIn(bytes));
    }
    return values;
  }
}

/** Fewer bytes may look like a text by chance. */
const SHORTEST_TEXT = 4;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the text that some programs store as bytes; `undefined` for other bytes. */
function textIn(bytes: Uint8Array): string | undefined {
  const isOther = bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 || byte === 127);
  if (isOther || bytes.length < SHORTEST_TEXT) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes of the values of types 0 to 9. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function valueOf(type: number, bytes: Uint8Array): SqlValue {
  if (type === 8 || type === 9) return type - 8;
  if (type === 0 || type > 9 || bytes.length < LENGTHS[type]!) return undefined;
  const view = viewOf(bytes);
  if (type === 7) return view.getFloat64(0);
  if (type === 6) return view.getBigInt64(0);
  let value = view.getInt8(0);
  for (let i = 1; i < bytes.length; i++) value = value * 256 + bytes[i]!;
  return value;
}
