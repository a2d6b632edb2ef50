/**
 * The vectors of neural models in rows: a set for each model, and a row for each text. A search reads them all into memory once, and
 * then what was added.
 */
import { HASH_BYTES, quantizeRow } from "#engine/index/mod.ts";
import type { ContentVector, VectorModel, VectorReader, VectorStore, VectorWriter } from "../store.ts";
import { HashSlots, TableReader } from "../vector_table.ts";
import type { CollectionPlace } from "./kept_texts.ts";

/** Rows that are read or written by one statement. */
const ROWS_AT_ONCE = 5000;

/** A set of vectors. Its generation changes when some of them are removed. */
interface VectorSet {
  readonly id: string;
  readonly generation: string;
}

/** The set of a model that searches use, in a query whose values begin with the name of the collection and the model. */
const CURRENT = `select id::text, generation::text, dimensions from {neural_set}
  where collection = (select id from {collection} where name = $1) and model = $2 and current`;

export class PostgresVectors implements VectorStore {
  constructor(readonly place: CollectionPlace) {}

  async dimensions(model: string): Promise<number | undefined> {
    const [set] = await this.place.tables.read<{ dimensions: number }>(CURRENT, [this.place.name, model]);
    return set?.dimensions;
  }

  read(model: VectorModel): VectorReader {
    return new RowReader(this.place, model);
  }

  async write(model: VectorModel, { fresh = false } = {}): Promise<VectorWriter> {
    const writer = new RowWriter(this.place, model, fresh);
    await writer.load();
    return writer;
  }

  async keepOnly(models: readonly string[]): Promise<void> {
    await this.place.tables.write(
      `delete from {neural_set} where collection = (select id from {collection} where name = $1)
       and model like 'local%' and model <> all($2::text[])`,
      [this.place.name, models],
    );
  }
}

/** Returns the set of a model that searches use; `undefined` if there is none of its dimensions. */
async function currentSet(
  { tables, name }: CollectionPlace,
  { id, dimensions }: VectorModel,
): Promise<VectorSet | undefined> {
  const [set] = await tables.read<VectorSet>(`${CURRENT} and dimensions = $3`, [name, id, dimensions]);
  return set;
}

/** A row of a set, or only its set. */
interface NextRow {
  readonly set: string;
  readonly generation: string;
  readonly number: string | null;
  readonly hash: Uint8Array;
  readonly numbers: Uint8Array;
  readonly scale: number;
}

class RowReader extends TableReader {
  readonly #place: CollectionPlace;
  readonly #model: VectorModel;
  #set: VectorSet | undefined;
  /** The number of the last row that was read. */
  #last = "0";

  constructor(place: CollectionPlace, model: VectorModel) {
    super(model.dimensions);
    this.#place = place;
    this.#model = model;
  }

  override async refresh(): Promise<boolean> {
    const known = this.size > 0;
    let isNew = false;
    for (;;) {
      const rows = await this.#nextRows();
      const [{ set, generation } = { set: undefined, generation: undefined }] = rows;
      if (set !== this.#set?.id || generation !== this.#set?.generation) {
        const wasFromStart = this.#last === "0";
        this.forget();
        isNew = true;
        if (set === undefined) break;
        this.#set = { id: set, generation: generation! };
        // The rows were asked for behind the last one of the old set.
        if (!wasFromStart) continue;
      }
      for (const row of rows) if (row.number !== null) this.#add(row);
      if (rows.length < ROWS_AT_ONCE) break;
    }
    return !(isNew && known);
  }

  /** The set that searches use, with its next rows, in one query; a row of nulls if there are none. */
  #nextRows(): Promise<readonly NextRow[]> {
    const { id, dimensions } = this.#model;
    return this.#place.tables.read<NextRow>(
      `select s.id::text as set, s.generation::text, v.number::text, v.hash, v.numbers, v.scale
       from (${CURRENT} and dimensions = $3) s
       left join {neural_vector} v on v.neural_set = s.id::bigint and v.number > $4
       order by v.number limit ${ROWS_AT_ONCE}`,
      [this.#place.name, id, dimensions, this.#last],
    );
  }

  #add({ number, hash, numbers, scale }: NextRow): void {
    this.#last = number!;
    if (hash.length !== HASH_BYTES || numbers.length !== this.#model.dimensions) return;
    this.table.add(hash, new Int8Array(numbers.buffer, numbers.byteOffset, numbers.length), scale);
  }

  protected override forget(): void {
    super.forget();
    this.#set = undefined;
    this.#last = "0";
  }
}

/** Adds rows to the set of a model, or to a fresh one. Nothing is written before the first of them. */
class RowWriter implements VectorWriter {
  readonly #place: CollectionPlace;
  readonly #model: VectorModel;
  /** Whether the set is not yet that which searches use. */
  #isFresh: boolean;
  #slots = new HashSlots();
  #hashes: Uint8Array[] = [];
  #set: VectorSet | undefined;
  /** Appends are carried out in their order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: CollectionPlace, model: VectorModel, fresh: boolean) {
    this.#place = place;
    this.#model = model;
    this.#isFresh = fresh;
  }

  get dimensions(): number {
    return this.#model.dimensions;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Reads the hashes of the set that is there. */
  async load(): Promise<void> {
    if (this.#isFresh) return;
    this.#set = await currentSet(this.#place, this.#model);
    if (this.#set === undefined) return;
    const rows = await this.#place.tables.read<{ hash: Uint8Array }>(
      "select hash from {neural_vector} where neural_set = $1 order by number",
      [this.#set.id],
    );
    for (const { hash } of rows) this.#know(hash);
  }

  has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    return Promise.resolve(hashes.map((hash) => this.#slots.get(hash) !== undefined));
  }

  append(entries: readonly ContentVector[]): Promise<void> {
    const appended = this.#last.then(() => this.#append(entries));
    this.#last = appended.catch(() => {});
    return appended;
  }

  async flush(): Promise<void> {
    await this.#last;
  }

  async hasChanged(): Promise<boolean> {
    if (this.#isFresh) return false;
    const now = await currentSet(this.#place, this.#model);
    if (now?.id !== this.#set?.id || now?.generation !== this.#set?.generation) return true;
    if (now === undefined) return false;
    const [row] = await this.#place.tables.read<{ count: number }>(
      "select count(*)::integer as count from {neural_vector} where neural_set = $1",
      [now.id],
    );
    return row?.count !== this.size;
  }

  async compact(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    if (this.#set === undefined) return;
    const { id } = this.#set;
    const kept = this.#hashes.filter(keeps), gone = this.#hashes.filter((hash) => !keeps(hash));
    await this.#place.tables.transaction(async (write) => {
      for (let from = 0; from < gone.length; from += ROWS_AT_ONCE) {
        await write("delete from {neural_vector} where neural_set = $1 and hash = any($2::bytea[])", [
          id,
          gone.slice(from, from + ROWS_AT_ONCE),
        ]);
      }
      const [row] = await write<VectorSet>(
        "update {neural_set} set generation = generation + 1 where id = $1 returning id::text, generation::text",
        [id],
      );
      this.#set = row;
    });
    this.#slots = new HashSlots();
    this.#hashes = [];
    for (const hash of kept) this.#know(hash);
  }

  async finish(): Promise<void> {
    await this.#last;
    if (!this.#isFresh || this.#set === undefined) return;
    const { id } = this.#set;
    await this.#place.tables.transaction(async (write) => {
      await write(
        `delete from {neural_set} where current and model = $2 and collection = (select collection from {neural_set} where id = $1)`,
        [id, this.#model.id],
      );
      await write("update {neural_set} set current = true where id = $1", [id]);
    });
    this.#isFresh = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    if (!this.#isFresh || this.#set === undefined) return;
    try {
      await this.#place.tables.write("delete from {neural_set} where id = $1 and not current", [
        this.#set.id,
      ]);
    } catch {
      // The next set that begins takes it away.
    }
  }

  async #append(entries: readonly ContentVector[]): Promise<void> {
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      const some = entries.slice(from, from + ROWS_AT_ONCE);
      const { dimensions } = this.#model;
      const numbers = new Int8Array(some.length * dimensions);
      const scales = some.map(({ vector }, i) => quantizeRow(vector, numbers, i * dimensions));
      const hashes = new Uint8Array(some.length * HASH_BYTES);
      for (const [i, { hash }] of some.entries()) hashes.set(hash.subarray(0, HASH_BYTES), i * HASH_BYTES);
      await this.#place.tables.transaction(async (write) => {
        const set = this.#set ?? await this.#begin(write);
        if (set === undefined) return;
        // The row of the set is locked, so that the numbers of rows become visible in their order.
        await write("select 1 from {neural_set} where id = $1 for update", [set.id]);
        await write(
          `insert into {neural_vector} (collection, neural_set, hash, numbers, scale)
           select s.collection, s.id, substring($2::bytea from i * ${HASH_BYTES} + 1 for ${HASH_BYTES}),
             substring($3::bytea from i * ${dimensions} + 1 for ${dimensions}), ($4::real[])[i + 1]
           from {neural_set} s, generate_series(0, $5::integer) as i where s.id = $1 order by i
           on conflict do nothing`,
          [set.id, hashes, new Uint8Array(numbers.buffer), scales, some.length - 1],
        );
        this.#set = set;
      });
      for (const { hash } of some) this.#know(hash);
    }
  }

  /** Begins the set. Unfinished or unusable sets of the model are removed. */
  async #begin(write: CollectionPlace["tables"]["write"]): Promise<VectorSet | undefined> {
    const values = [this.#place.name, this.#model.id];
    await write(
      `delete from {neural_set} where collection = (select id from {collection} where name = $1) and model = $2
       ${this.#isFresh ? "and not current" : ""}`,
      values,
    );
    const [set] = await write<VectorSet>(
      `insert into {neural_set} (collection, model, dimensions, current) select id, $2, $3, $4
       from {collection} where name = $1 returning id::text, generation::text`,
      [...values, this.#model.dimensions, !this.#isFresh],
    );
    return set;
  }

  #know(hash: Uint8Array): void {
    if (this.#slots.get(hash) !== undefined) return;
    this.#slots.set(hash, this.#slots.size);
    this.#hashes.push(Uint8Array.from(hash.subarray(0, HASH_BYTES)));
  }
}
