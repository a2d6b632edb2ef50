/** The bytes of a segment in rows: each row has a part of them. */
import { MemoryFile } from "#engine/index/mod.ts";
import type { ByteSink } from "../store.ts";
import type { Tables } from "./tables.ts";

/** Bytes of a part. The last one of a segment is shorter. */
const PART_BYTES = 64 * 1024;
/** Parts that are written, and read, by one statement: 4 MB. */
const PARTS_AT_ONCE = 64;

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

  syncSync(): void {}

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

/** Reads all parts of a segment; `undefined` if it is not there, or not as a whole. */
export async function readSegment(tables: Tables, id: string): Promise<MemoryFile | undefined> {
  const [segment] = await tables.read<{ size: number }>("select size from {segment} where id = $1", [id]);
  if (segment === undefined) return undefined;
  const file = new MemoryFile();
  for (let part = 0; part * PART_BYTES < segment.size; part += PARTS_AT_ONCE) {
    const rows = await tables.read<{ data: Uint8Array }>(
      "select data from {page} where segment = $1 and part >= $2 and part < $3 order by part",
      [id, part, part + PARTS_AT_ONCE],
    );
    for (const { data } of rows) file.writeSync(data);
  }
  file.seekSync(0);
  return file.statSync().size === 0 ? undefined : file;
}
