/**
 * The versions of a collection's index and of its list of removed files, which every search asks for. A busy server asks the database at
 * most five times a second, however many searches there are. Only a search after a pause of a second waits for the answer.
 */
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

/** The versions of a collection; `undefined` if there is none. */
interface State {
  /** `undefined` if it has no index. */
  readonly index: string | undefined;
  readonly removed: string;
  readonly hasRemoved: boolean;
}

/** Milliseconds for which a state is used, and after which it is renewed while it is still used. */
const KEPT_MS = 1000, RENEWED_MS = 200;

const known = new WeakMap<Database, Map<string, CollectionState>>();
const NONE: ReadonlySet<string> = new Set();

/** The state of a collection, shared by all stores of the process, which sees its own changes at once. */
export class CollectionState {
  readonly #tables: Tables;
  readonly #name: string;
  #state: { readonly at: number; readonly value: State | undefined } | undefined;
  #reading: Promise<State | undefined> | undefined;
  #paths: { readonly version: string; readonly paths: ReadonlySet<string> } | undefined;

  private constructor(tables: Tables, name: string) {
    this.#tables = tables;
    this.#name = name;
  }

  static of(tables: Tables, name: string): CollectionState {
    const ofDatabase = known.getOrInsertComputed(tables.db, () => new Map<string, CollectionState>());
    return ofDatabase.getOrInsertComputed(
      `${tables.schema} ${name}`,
      () => new CollectionState(tables, name),
    );
  }

  /** Called when the state of a collection has turned out to be old. */
  static forgetAll(db: Database): void {
    for (const state of known.get(db)?.values() ?? []) state.forget();
  }

  async read(): Promise<State | undefined> {
    const age = this.#state === undefined ? Infinity : performance.now() - this.#state.at;
    if (age >= KEPT_MS) return await (this.#reading ?? this.#read());
    // The next search that waits throws the error.
    if (age >= RENEWED_MS && this.#reading === undefined) this.#read().catch(() => {});
    return this.#state!.value;
  }

  /** The paths of the files that were taken out. */
  async removedPaths(): Promise<ReadonlySet<string>> {
    const state = await this.read();
    if (state?.hasRemoved !== true) return NONE;
    if (this.#paths?.version === state.removed) return this.#paths.paths;
    const [row] = await this.#tables.read<{ version: string; paths: readonly string[] }>(
      `select id || ':' || removed_version as version, array(select path from {removed} where collection = c.id) as paths
       from {collection} c where name = $1`,
      [this.#name],
    );
    if (row === undefined) return NONE;
    this.#paths = { version: row.version, paths: new Set(row.paths) };
    return this.#paths.paths;
  }

  /** Called after this process has changed the collection. */
  forget(): void {
    this.#state = undefined;
    this.#reading = undefined;
  }

  #read(): Promise<State | undefined> {
    const reading = this.#ask().then((value) => {
      // The answer may be older than a change of this process, which has called `forget`.
      if (this.#reading === reading) this.#state = { at: performance.now(), value };
      return value;
    }).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return this.#reading = reading;
  }

  async #ask(): Promise<State | undefined> {
    const [row] = await this.#tables.read<{ index: string | null; removed: string; has_removed: boolean }>(
      `select case when manifest is not null then id || ':' || version end as index,
         id || ':' || removed_version as removed, removed_version > 0 as has_removed
       from {collection} where name = $1`,
      [this.#name],
    );
    return row && { index: row.index ?? undefined, removed: row.removed, hasRemoved: row.has_removed };
  }
}
