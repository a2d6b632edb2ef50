/**
 * The nearest vectors by an HNSW index of pgvector. A row has the numbers of a vector as `halfvec`, which holds int8 numbers exactly.
 *
 * Up to {@linkcode MOST_AMONG} rows are compared one by one, which is exact and, with a filter, faster than the index. The index of a
 * model of a collection is made when it has more. HNSW: Malkov, Yashunin, "Efficient and robust approximate nearest neighbor search", 2018.
 */
import { HASH_BYTES } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { VectorModel } from "../store.ts";
import {
  joinedHashes,
  MOST_AMONG,
  type NearestOptions,
  PIECE,
  type VectorProposer,
  type VectorRows,
} from "../vectors/proposer.ts";
import { type Queries, quotedName } from "./database.ts";
import { VECTORS } from "./definitions.ts";
import { inSchema } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** Most dimensions of a vector that an index of `halfvec` takes. */
const MOST_DIMENSIONS = 4000;
/** Neighbours of a vector in the index, and candidates while it is built: 43 s for 100,000 × 384. */
const M = 16, EF_CONSTRUCTION = 64;
/**
 * Candidates of a search in the index: for each vector that is asked for, the least, and the most that pgvector allows. Vectors of texts
 * lie in closer groups than random ones, so that one candidate for each misses too many (`research/measurements.md`).
 */
const EF_FOR_EACH = 2, LEAST_EF = 120, MOST_EF = 1000;
/** Most rows of the index that a search looks at. pgvector stops at 20,000 by itself. */
const MOST_SCANNED = 100_000;
/** Bytes of a row while an index is built in memory, without its numbers, and the least and the most for all rows. */
const NODE_BYTES = 600, LEAST_MEMORY_MB = 64, MOST_MEMORY_MB = 2048;

/** The extension in a database. */
interface VectorExtension {
  readonly version: string;
  /** The schema of its types and operators. */
  readonly schema: string;
}

/** Returns pgvector as it is installed in a database; `undefined` if it is not, or is older than {@linkcode LEAST_VERSION}. */
export async function vectorExtension(db: Queries): Promise<VectorExtension | undefined> {
  const [found] = await db.query<VectorExtension>(
    `select extversion as version, nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace
     where extname = 'vector'`,
  );
  return found !== undefined && isAtLeast(found.version, LEAST_VERSION) ? found : undefined;
}

/** Returns whether a version is at least another one: numbers with dots. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split(".").map(Number));
  for (const [i, number] of b!.entries()) {
    const own = a![i] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

/** The first versions of pgvector that have the type `halfvec`, and that go on in an index where a filter leaves too few rows. */
const LEAST_VERSION = "0.7.0", ITERATES_FROM = "0.8.0";
/** The first version of pgvector that builds an index in several processes without errors. */
export const SOUND_FROM = "0.8.4";

/** The vectors of one model of a collection in the table `vector`. */
export class PostgresProposer implements VectorProposer {
  readonly exactUpTo: number;
  readonly model: VectorModel;
  readonly #tables: Tables;
  readonly #collection: string;
  readonly #extension: VectorExtension;

  /** `collection`: its id. `exactUpTo`: for tests. */
  constructor(
    tables: Tables,
    collection: string,
    model: VectorModel,
    extension: VectorExtension,
    { exactUpTo = MOST_AMONG } = {},
  ) {
    this.#tables = tables;
    this.#collection = String(BigInt(collection));
    this.model = model;
    this.#extension = extension;
    this.exactUpTo = exactUpTo;
  }

  /** Returns the vectors of a model of a collection; `undefined` if pgvector is not there, or cannot hold them. */
  static async open(
    tables: Tables,
    collection: string,
    model: VectorModel,
    options: { readonly exactUpTo?: number } = {},
  ): Promise<PostgresProposer | undefined> {
    if (model.dimensions > MOST_DIMENSIONS) return undefined;
    const extension = await vectorExtension(tables.db);
    if (extension === undefined) return undefined;
    return new PostgresProposer(tables, collection, model, extension, options);
  }

  async nearest(query: Float32Array, { limit, among, amongNumbers }: NearestOptions): Promise<VectorRows> {
    const vector = `[${query.join(",")}]`;
    const numbers = amongNumbers ?? (among && await this.numbersOf(among));
    if (numbers !== undefined) return await this.#nearestAmong(vector, limit, numbers);
    const { schema, version } = this.#extension;
    const ef = Math.min(MOST_EF, Math.max(LEAST_EF, EF_FOR_EACH * limit));
    const iterates = isAtLeast(version, ITERATES_FROM)
      ? [`set local hnsw.iterative_scan = strict_order`, `set local hnsw.max_scan_tuples = ${MOST_SCANNED}`]
      : [];
    const found = await this.#tables.db.batch(
      [
        "begin read only",
        `set local hnsw.ef_search = ${ef}`,
        ...iterates,
        // The planner takes a sequential scan for cheaper where many rows are asked for.
        "set local enable_seqscan = off",
        // Its cost is then so high that the plan would be compiled.
        "set local jit = off",
        this.#sql(
          `select hash, scale, ${this.#bytes} as numbers from {vector} where ${this.#own}
         order by ${this.#column} operator(${quotedName(schema)}.<=>) ${this.#given(1)} limit $2::integer`,
          [vector, limit],
        ),
        "commit",
      ].map((step) => typeof step === "string" ? { text: step } : step),
      { retry: true },
    );
    return this.#rowsOf(found.at(-2)! as readonly StoredRow[]);
  }

  async rowsOf(hashes: readonly Uint8Array[]): Promise<VectorRows> {
    const parts: StoredRow[] = [];
    for (let from = 0; from < hashes.length; from += PIECE) {
      const some = hashes.slice(from, from + PIECE);
      parts.push(
        ...await this.#query<StoredRow>(
          `select hash, scale, ${this.#bytes} as numbers from {vector} where ${this.#own} and hash = ${
            this.#anyOf(1)
          }`,
          [joinedHashes(some)],
        ),
      );
    }
    return this.#rowsOf(parts);
  }

  async has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    return Array.from(await this.numbersOf(hashes), (number) => number >= 0);
  }

  async numbersOf(hashes: readonly Uint8Array[]): Promise<Float64Array> {
    const rows = await this.#query<{ hash: string; number: number }>(
      `select hash, number from {vector} where ${this.#own} and hash = ${this.#anyOf(1)}`,
      [joinedHashes(hashes)],
    );
    const numbers = new Map(rows.map(({ hash, number }) => [hash.replaceAll("-", ""), number]));
    return Float64Array.from(hashes, (hash) => numbers.get(hash.subarray(0, HASH_BYTES).toHex()) ?? -1);
  }

  async add({ hashes, numbers, scales }: VectorRows): Promise<void> {
    const { dimensions } = this.model;
    for (let from = 0; from < hashes.length; from += PIECE / 8) {
      const to = Math.min(hashes.length, from + PIECE / 8);
      const texts: string[] = [];
      for (let i = from; i < to; i++) {
        texts.push(`[${numbers.subarray(i * dimensions, (i + 1) * dimensions).join(",")}]`);
      }
      await this.#tables.write(
        `insert into {vector} (collection, model, hash, scale, numbers)
         select ${this.#collection}, ${this.#modelName}, ${UUID},
           ($2::real[])[i + 1], ($3::text[])[i + 1]::${quotedName(this.#extension.schema)}.halfvec
         from generate_series(0, $4::integer) as i
         on conflict (collection, model, hash) do update set scale = excluded.scale, numbers = excluded.numbers`,
        [joinedHashes(hashes.slice(from, to)), Array.from(scales.subarray(from, to)), texts, to - from - 1],
      );
    }
  }

  async keepOnly(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    const rows = await this.#query<{ hash: string }>(`select hash from {vector} where ${this.#own}`, []);
    const gone = rows.map(({ hash }) => hashOf(hash)).filter((hash) => !keeps(hash));
    for (let from = 0; from < gone.length; from += PIECE) {
      await this.#tables.write(
        `delete from {vector} where ${this.#own} and hash = ${this.#anyOf(1)}`,
        [joinedHashes(gone.slice(from, from + PIECE))],
      );
    }
  }

  /** Creates the table of vectors if pgvector was installed after the other tables were made. */
  async prepare(): Promise<void> {
    for (const statement of VECTORS) await this.#tables.write(statement, []);
  }

  /**
   * Makes the index if there are so many rows that searches need it. With pgvector before {@linkcode SOUND_FROM} one process builds it,
   * because parallel builds have errors.
   */
  async finish(): Promise<void> {
    const [row] = await this.#query<{ count: number }>(
      `select count(*)::integer as count from {vector} where ${this.#own}`,
      [],
    );
    const count = row?.count ?? 0;
    if (count <= this.exactUpTo) return;
    const { dimensions } = this.model;
    const bytes = count * (2 * dimensions + NODE_BYTES);
    const memory = Math.ceil(Math.min(MOST_MEMORY_MB, Math.max(LEAST_MEMORY_MB, bytes / 1e6)));
    const { schema, version } = this.#extension;
    await this.#tables.transaction(async (write) => {
      await write(`set local maintenance_work_mem = '${memory}MB'`, []);
      if (!isAtLeast(version, SOUND_FROM)) await write("set local max_parallel_maintenance_workers = 0", []);
      await write(
        `create index if not exists ${quotedName(await this.indexName())} on {vector}
         using hnsw ((${this.#column}) ${
          quotedName(schema)
        }.halfvec_cosine_ops) with (m = ${M}, ef_construction = ${EF_CONSTRUCTION})
         where ${this.#own}`,
        [],
      );
    });
  }

  /** The name of the index of this model. */
  async indexName(): Promise<string> {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(this.model.id));
    return `vector_${this.#collection}_${new Uint8Array(digest).toHex().slice(0, 12)}`;
  }

  /** Compares the rows with some numbers. */
  async #nearestAmong(vector: string, limit: number, among: Float64Array): Promise<VectorRows> {
    const rows = await this.#query<StoredRow>(
      // The numbers of the best rows alone are written as bytes.
      `select hash, scale, ${this.#bytes} as numbers from (
         select hash, scale, numbers from {vector} where ${this.#own} and number = any($1::bigint[])
         order by scale * (${this.#column} operator(${quotedName(this.#extension.schema)}.<#>) ${
        this.#given(2)
      }) limit $3::integer
       ) as best`,
      [`{${among.join(",")}}`, vector, limit],
    );
    return this.#rowsOf(rows);
  }

  #rowsOf(rows: readonly StoredRow[]): VectorRows {
    const { dimensions } = this.model;
    const numbers = new Int8Array(rows.length * dimensions);
    for (const [i, row] of rows.entries()) {
      decodeHalves(row.numbers, numbers.subarray(i * dimensions, (i + 1) * dimensions));
    }
    return {
      hashes: rows.map(({ hash }) => hashOf(hash)),
      numbers,
      scales: Float32Array.from(rows, ({ scale }) => scale),
    };
  }

  async #query<R>(text: string, values: readonly unknown[]): Promise<readonly R[]> {
    return await this.#tables.read<R>(text, values);
  }

  #sql(text: string, values: readonly unknown[]) {
    return { text: inSchema(text, this.#tables.schema), values };
  }

  /** The rows of this model. A partial index is used only where the planner reads constants. */
  get #own(): string {
    return `collection = ${this.#collection} and model = ${this.#modelName}`;
  }

  get #modelName(): string {
    return `'${this.model.id.replaceAll("'", "''")}'`;
  }

  get #column(): string {
    return `numbers::${quotedName(this.#extension.schema)}.halfvec(${this.model.dimensions})`;
  }

  get #bytes(): string {
    return `${quotedName(this.#extension.schema)}.halfvec_send(numbers)`;
  }

  #given(parameter: number): string {
    return `$${parameter}::text::${quotedName(this.#extension.schema)}.halfvec(${this.model.dimensions})`;
  }

  /** The hashes of a parameter. One value of bytes is sent as it is; a list would be sent as text. */
  #anyOf(parameter: number): string {
    const count = `octet_length($${parameter}::bytea) / ${HASH_BYTES}`;
    return `any(array(select ${
      UUID.replace("$1", `$${parameter}`)
    } from generate_series(0, ${count} - 1) as i))`;
  }
}

/** The hash number `i` of the first parameter. A `uuid` is compared in a third of the time of a `bytea`. */
const UUID = `encode(substring($1::bytea from i * ${HASH_BYTES} + 1 for ${HASH_BYTES}), 'hex')::uuid`;

interface StoredRow {
  readonly hash: string;
  readonly scale: number;
  /** As `halfvec_send` writes it. */
  readonly numbers: Uint8Array;
}

/** Bytes before the numbers: their count and a zero. */
const HALVES_AT = 4;

/** Reads whole numbers of 16-bit floats. */
function decodeHalves(bytes: Uint8Array, into: Int8Array): void {
  if (bytes.length !== HALVES_AT + 2 * into.length) {
    throw new UserError("vectors_refused", { address: "pgvector", reason: "dimensions" });
  }
  for (let i = 0; i < into.length; i++) {
    const half = bytes[HALVES_AT + 2 * i]! << 8 | bytes[HALVES_AT + 2 * i + 1]!;
    const exponent = half >> 10 & 31;
    // 1.f · 2^(exponent − 15); the numbers are whole, and 0 has the exponent 0.
    const size = exponent === 0 ? 0 : (1024 + (half & 1023)) * 2 ** (exponent - 25);
    into[i] = half & 0x8000 ? -size : size;
  }
}

function hashOf(uuid: string): Uint8Array {
  return Uint8Array.fromHex(uuid.replaceAll("-", ""));
}
