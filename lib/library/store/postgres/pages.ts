/** The bytes of a segment in rows: each row has a part of them. */
import { DamagedIndexError, MemoryFile } from "#engine/index/mod.ts";
import { PART_BYTES, type PartRange, type RemoteBytes } from "#engine/index/remote/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { ByteSink } from "../store.ts";
import { CollectionState } from "./collection_state.ts";
import type { Replicas } from "./replicas.ts";
import type { Tables } from "./tables.ts";

/** Parts that are written, and read, by one statement: 4 MB. */
const PARTS_AT_ONCE = 64;

/** A segment that was written. */
export interface SegmentPlace {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * A new segment, which no index has yet. Bytes are collected, and sent in parts that are whole; the first part, which begins with the
 * header of a blob, is written last.
 */
export class NewSegment implements ByteSink {
  /** The parts that were not sent yet. */
  readonly #parts = new Map<number, Uint8Array>();
  #at = 0;
  #size = 0;

  private constructor(
    readonly tables: Tables,
    readonly collection: string,
    readonly id: string,
  ) {}

  static async begin(tables: Tables, collection: string): Promise<NewSegment> {
    const [row] = await tables.write<{ id: string }>(
      "insert into {segment} (collection, size) values ($1, 0) returning id::text",
      [collection],
    );
    return new NewSegment(tables, collection, row!.id);
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  writeSync(bytes: Uint8Array): number {
    const part = Math.floor(this.#at / PART_BYTES), from = this.#at % PART_BYTES;
    const some = bytes.subarray(0, PART_BYTES - from);
    let content = this.#parts.get(part);
    if (content === undefined) {
      if (part * PART_BYTES < this.#size) throw new RangeError(`part ${part} was sent already`);
      this.#parts.set(part, content = new Uint8Array(PART_BYTES));
    }
    content.set(some, from);
    this.#at += some.length;
    this.#size = Math.max(this.#size, this.#at);
    return some.length;
  }

  seekSync(offset: number): number {
    return this.#at = offset;
  }

  /** Sends the parts that are whole, if they are many. */
  async flush(): Promise<void> {
    while (this.#parts.size > PARTS_AT_ONCE + 1) await this.#send(PARTS_AT_ONCE);
  }

  /** Sends the rest. */
  async finish(): Promise<void> {
    while (this.#parts.size > 1) await this.#send(PARTS_AT_ONCE);
    await this.#write([0]);
    await this.tables.write("update {segment} set size = $2 where id = $1", [this.id, this.#size]);
  }

  /** Removes what was sent, as far as possible; what is left is removed after the next index. */
  async discard(): Promise<void> {
    try {
      await this.tables.write("delete from {segment} where id = $1", [this.id]);
    } catch {
      // Its parts belong to no index.
    }
  }

  #send(most: number): Promise<void> {
    return this.#write(
      [...this.#parts.keys()].filter((part) => part > 0).sort((a, b) => a - b).slice(0, most),
    );
  }

  async #write(parts: readonly number[]): Promise<void> {
    const sizes = parts.map((part) => Math.min(PART_BYTES, this.#size - part * PART_BYTES));
    const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
    for (const [i, part] of parts.entries()) {
      bytes.set(this.#parts.get(part)!.subarray(0, sizes[i]), i * PART_BYTES);
      this.#parts.delete(part);
    }
    // One value is sent as it is; a list of values would be sent as text of twice the length.
    await this.tables.write(
      `insert into {page} (collection, segment, part, data)
       select $1, $2, part, substring($3::bytea from (i::integer - 1) * ${PART_BYTES} + 1 for ${PART_BYTES})
       from unnest($4::integer[]) with ordinality as sent (part, i)`,
      [this.collection, this.id, bytes, parts],
    );
  }
}

/** Reads all bytes of a segment, in pieces. Those of parts that are missing are missing. */
export async function* readSegment(tables: Tables, { id, size }: SegmentPlace): AsyncGenerator<Uint8Array> {
  for (let part = 0; part * PART_BYTES < size; part += PARTS_AT_ONCE) {
    const rows = await tables.read<{ data: Uint8Array }>(
      "select data from {page} where segment = $1 and part >= $2 and part < $3 order by part",
      [id, part, part + PARTS_AT_ONCE],
    );
    for (const { data } of rows) yield data;
  }
}

/** Reads all bytes of a segment into memory. */
export async function wholeSegment(tables: Tables, segment: SegmentPlace): Promise<MemoryFile> {
  const file = new MemoryFile();
  for await (const bytes of readSegment(tables, segment)) file.writeSync(bytes);
  file.seekSync(0);
  return file;
}

/** A range that is asked for. */
interface Asked {
  readonly segment: string;
  readonly range: PartRange;
  readonly signal: AbortSignal | undefined;
  readonly got: (bytes: Uint8Array) => void;
  readonly failed: (error: unknown) => void;
}

/** Asks for parts of pages: those that several segments are asked for in one turn of the event loop by one query. */
export class PageQueries {
  readonly #tables: Tables;
  readonly #replicas: Replicas;
  #asked: Asked[] = [];

  constructor(tables: Tables, replicas: Replicas) {
    this.#tables = tables;
    this.#replicas = replicas;
  }

  /** The bytes of a segment. */
  bytesOf({ id, size }: SegmentPlace): RemoteBytes {
    return { size, read: (ranges, signal) => this.#read(id, ranges, signal), close: () => {} };
  }

  #read(segment: string, ranges: readonly PartRange[], signal?: AbortSignal): Promise<Uint8Array[]> {
    if (this.#asked.length === 0) queueMicrotask(() => void this.#ask());
    return Promise.all(ranges.map((range) =>
      new Promise<Uint8Array>((got, failed) => {
        this.#asked.push({ segment, range, signal, got, failed });
      })
    ));
  }

  async #ask(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    const [{ signal }] = asked as [Asked];
    try {
      // One that is given up must not end the query of others.
      const shared = asked.every((one) => one.signal === signal) ? signal : undefined;
      const left = await this.#replicas.read((tables) => answer(tables, asked, shared), shared) ?? asked;
      const missing = left.length === 0 ? left : await answer(this.#tables, left, shared);
      if (missing.length === 0) return;
      const error = await this.#isReplaced(missing)
        ? new UserError("store_index_replaced", { address: this.#tables.db.names.address })
        : new DamagedIndexError("a page of the index is missing");
      for (const { failed } of missing) failed(error);
    } catch (error) {
      for (const { failed } of asked) failed(error);
    }
  }

  /** Whether a segment is that of an index which another one has replaced, and was removed after a while. */
  async #isReplaced(missing: readonly Asked[]): Promise<boolean> {
    const ids = [...new Set(missing.map(({ segment }) => segment))];
    const named = await this.#tables.read(
      `select segment from unnest($1::text[]) as missing (segment) where exists
         (select 1 from {collection} where manifest->'segments' @> jsonb_build_array(jsonb_build_object('id', segment)))`,
      [ids],
    );
    if (named.length === ids.length) return false;
    CollectionState.forgetAll(this.#tables.db);
    return true;
  }
}

/** Answers by a query. Returns those of which a database does not have the page. */
async function answer(
  tables: Tables,
  asked: readonly Asked[],
  signal: AbortSignal | undefined,
): Promise<readonly Asked[]> {
  const rows = await tables.read<{ i: number; data: Uint8Array }>(
    `select i, substring(data from first + 1 for past - first) as data
     from unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[]) with ordinality
       as asked (segment, part, first, past, i)
     join {page} using (segment, part)`,
    [
      asked.map(({ segment }) => segment),
      asked.map(({ range }) => range.part),
      asked.map(({ range }) => range.from),
      asked.map(({ range }) => range.to),
    ],
    { signal },
  );
  const answered = new Set(rows.map(({ i }) => asked[i - 1]!));
  for (const { i, data } of rows) asked[i - 1]!.got(data);
  return asked.filter((one) => !answered.has(one));
}
