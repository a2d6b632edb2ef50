/** The tables beside the index of a collection: recognised and generated texts, runs of evaluations, and the list of removed files. */
import { UserError } from "#foundation/errors.ts";
import { decodePages, encodePages } from "../folder/recognised_texts.ts";
import {
  type EvaluationRuns,
  type GeneratedTexts,
  isPictureKey,
  MOST_REMOVED,
  pictureKey,
  type RecognisedPages,
  type RecognisedTexts,
  type RemovedFiles,
  RUN_LIMITS,
  UNUSED_DAYS,
} from "../store.ts";
import { CollectionState } from "./collection_state.ts";
import type { Tables } from "./tables.ts";

/** A collection by its name. */
export interface CollectionPlace {
  readonly tables: Tables;
  readonly name: string;
}

/** The id of the collection whose name is the first value of a query. */
const ID = "(select id from {collection} where name = $1)";
/** Bytes of the largest result that is kept. */
const MOST_RESULT_BYTES = 256 * 1024;
/** Results that are checked at once. */
const RESULTS_AT_ONCE = 1000;
/** Documents whose pictures are looked at together. */
const DOCUMENTS_AT_ONCE = 100;

/** The texts that were recognised: values of JSON. They are `text`, since PostgreSQL's JSON has no character 0. */
export class PostgresRecognised implements RecognisedTexts {
  constructor(readonly place: CollectionPlace) {}

  async get(sha256: string): Promise<RecognisedPages | undefined> {
    const [row] = await this.place.tables.read<{ value: string }>(
      `select value from {recognised} where collection = ${ID} and key = $2`,
      [this.place.name, sha256],
    );
    return row && decodePages(row.value);
  }

  async set(sha256: string, pages: RecognisedPages): Promise<void> {
    await this.place.tables.write(
      `insert into {recognised} (collection, key, value) select id, $2, $3 from {collection} where name = $1
       on conflict (collection, key) do update set value = excluded.value`,
      [this.place.name, sha256, encodePages(pages)],
    );
  }

  async keepOnly(needed: ReadonlySet<string>): Promise<void> {
    const { tables, name } = this.place;
    try {
      const keys = await tables.read<{ key: string }>(
        `select key from {recognised} where collection = ${ID}`,
        [name],
      );
      const documents = keys.map(({ key }) => key).filter((key) => !isPictureKey(key));
      const old = documents.filter((key) => !needed.has(key));
      if (old.length === 0) return;
      await this.#delete(old);
      // A picture is needed until its last document is gone.
      const pictures = keys.map(({ key }) => key).filter(isPictureKey);
      if (pictures.length === 0) return;
      const rest = await this.#picturesOf(documents.filter((key) => needed.has(key)));
      await this.#delete(pictures.filter((key) => !rest.has(key)));
    } catch {
      // The next run tries again.
    }
  }

  async #delete(keys: readonly string[]): Promise<void> {
    await this.place.tables.write(
      `delete from {recognised} where collection = ${ID} and key = any($2::text[])`,
      [this.place.name, keys],
    );
  }

  /** Returns the keys of the pictures of documents. */
  async #picturesOf(documents: readonly string[]): Promise<Set<string>> {
    const keys = new Set<string>();
    for (let from = 0; from < documents.length; from += DOCUMENTS_AT_ONCE) {
      const rows = await this.place.tables.read<{ value: string }>(
        `select value from {recognised} where collection = ${ID} and key = any($2::text[])`,
        [this.place.name, documents.slice(from, from + DOCUMENTS_AT_ONCE)],
      );
      for (const { value } of rows) {
        for (const { sha256 } of decodePages(value)?.pictures?.values() ?? []) keys.add(pictureKey(sha256));
      }
    }
    return keys;
  }
}

/** The results of language models: values of JSON, like {@linkcode PostgresRecognised}. */
export class PostgresGenerated implements GeneratedTexts {
  constructor(readonly place: CollectionPlace) {}

  async keys(): Promise<string[]> {
    const rows = await this.place.tables.read<{ key: string }>(
      `select key from {generated} where collection = ${ID} order by key`,
      [this.place.name],
    );
    return rows.map(({ key }) => key);
  }

  async get(key: string): Promise<unknown> {
    const [row] = await this.place.tables.read<{ value: string }>(
      `select value from {generated} where collection = ${ID} and key = $2`,
      [this.place.name, key],
    );
    return row && parsed(row.value);
  }

  async set(key: string, value: unknown): Promise<void> {
    const json = JSON.stringify(value);
    if (json === undefined || new TextEncoder().encode(json).length > MOST_RESULT_BYTES) return;
    await this.place.tables.write(
      `insert into {generated} (collection, key, value) select id, $2, $3 from {collection} where name = $1
       on conflict (collection, key) do update set value = excluded.value`,
      [this.place.name, key, json],
    );
  }

  async prune(used: ReadonlySet<string>, now: Date): Promise<void> {
    const { tables, name } = this.place;
    try {
      await tables.transaction(async (write) => {
        await write(
          `update {generated} set unused_since = case when key = any($2::text[]) then null else $3::timestamptz end
           where collection = ${ID} and (unused_since is null) <> (key = any($2::text[]))`,
          [name, [...used], now.toISOString()],
        );
        await write(
          `delete from {generated} where collection = ${ID} and unused_since <= $2::timestamptz - make_interval(days => $3)`,
          [name, now.toISOString(), UNUSED_DAYS],
        );
      });
    } catch {
      // The next run tries again.
    }
  }

  async verify(): Promise<{ results: number; damaged: number }> {
    let results = 0, damaged = 0, last = "";
    for (;;) {
      const rows = await this.place.tables.read<{ key: string; value: string }>(
        `select key, value from {generated} where collection = ${ID} and key > $2 order by key limit ${RESULTS_AT_ONCE}`,
        [this.place.name, last],
      );
      if (rows.length === 0) return { results, damaged };
      for (const { value } of rows) parsed(value) === undefined ? damaged++ : results++;
      last = rows.at(-1)!.key;
    }
  }
}

/** The runs of evaluations. */
export class PostgresRuns implements EvaluationRuns {
  constructor(readonly place: CollectionPlace) {}

  async names(): Promise<string[]> {
    const rows = await this.place.tables.read<{ name: string }>(
      `select name from {evaluation} where collection = ${ID} order by name`,
      [this.place.name],
    );
    return rows.map(({ name }) => name);
  }

  async get(name: string): Promise<string | undefined> {
    const [row] = await this.place.tables.read<{ text: string }>(
      `select text from {evaluation} where collection = ${ID} and name = $2`,
      [this.place.name, name],
    );
    return row?.text;
  }

  async set(name: string, text: string): Promise<boolean> {
    if (new TextEncoder().encode(text).length > RUN_LIMITS.bytes) return false;
    return await this.place.tables.transaction(async (write) => {
      const kept = await write(
        `insert into {evaluation} (collection, name, text) select id, $2, $3 from {collection} where name = $1
         on conflict (collection, name) do update set text = excluded.text returning 1`,
        [this.place.name, name, text],
      );
      await write(
        `delete from {evaluation} where collection = ${ID} and name in (
           select name from (
             select name, row_number() over newest as number, sum(octet_length(text)) over newest as bytes
             from {evaluation} where collection = ${ID} window newest as (order by name desc)
           ) as run where number > $2 or bytes > $3
         )`,
        [this.place.name, RUN_LIMITS.runs, RUN_LIMITS.allBytes],
      );
      return kept.length > 0;
    });
  }
}

/** The files that the user took out of the index. */
export class PostgresRemoved implements RemovedFiles {
  readonly #state: CollectionState;

  constructor(readonly place: CollectionPlace) {
    this.#state = CollectionState.of(place.tables, place.name);
  }

  async paths(): Promise<ReadonlySet<string>> {
    return await this.#state.removedPaths();
  }

  async version(): Promise<string> {
    return (await this.#state.read())?.removed ?? "";
  }

  add(paths: ReadonlySet<string>): Promise<number> {
    return this.#change(
      paths,
      `insert into {removed} (collection, path) select $1, unnest($2::text[]) on conflict do nothing returning 1`,
    );
  }

  delete(paths: ReadonlySet<string>): Promise<number> {
    return this.#change(
      paths,
      "delete from {removed} where collection = $1 and path = any($2::text[]) returning 1",
    );
  }

  async #change(paths: ReadonlySet<string>, statement: string): Promise<number> {
    const changed = await this.place.tables.transaction(async (write) => {
      // The row is locked, so that changes at once are carried out one after the other.
      const [collection] = await write<{ id: string }>(
        "select id::text from {collection} where name = $1 for update",
        [this.place.name],
      );
      if (collection === undefined) return 0;
      const { length } = await write(statement, [collection.id, [...paths]]);
      if (length === 0) return 0;
      const [row] = await write<{ count: number }>(
        "select count(*)::integer as count from {removed} where collection = $1",
        [collection.id],
      );
      if (row!.count > MOST_REMOVED) throw new UserError("removed_too_many", { limit: MOST_REMOVED });
      await write("update {collection} set removed_version = removed_version + 1 where id = $1", [
        collection.id,
      ]);
      return length;
    });
    this.#state.forget();
    return changed;
  }
}

/** Returns the value of JSON; `undefined` for a text that is none. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
