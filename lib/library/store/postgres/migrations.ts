/**
 * The tables of the store and their versions. A migration brings the tables from one version to the next; all of them run in one
 * transaction, so that a process sees the old tables or the new ones.
 */
import { UserError } from "#foundation/errors.ts";
import { type Database, type Queries, quotedName } from "./database.ts";
import { MIGRATIONS } from "./definitions.ts";

/** SQLSTATE of a table or a schema that does not exist. */
const NO_TABLE = new Set(["42P01", "3F000"]);

/** Replaces `{name}` by the name of the table in its schema. */
export function inSchema(text: string, schema: string): string {
  const quoted = quotedName(schema);
  return text.replaceAll(/\{([a-z_]+)\}/g, (_, name) => `${quoted}."${name}"`);
}

/** Returns the version of the tables; `undefined` if there are none. */
export async function schemaVersion(db: Queries, schema: string): Promise<number | undefined> {
  try {
    const rows = await db.query<{ version: number }>(inSchema("select version from {meta}", schema));
    return rows[0]?.version;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

/** Whether a query failed because the tables are not there. */
export function isMissingTable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (NO_TABLE.has((cause as { code?: string }).code ?? "")) return true;
  }
  return false;
}

/**
 * Creates the tables, or brings older ones to the version of this program. Processes that do so at once wait for each other; the
 * first one does the work. Throws `store_newer` for the tables of a newer program. `migrations`: those of an older program, for tests.
 */
export async function migrate(db: Database, schema: string, migrations = MIGRATIONS): Promise<void> {
  await db.transaction(async (tx) => {
    // Without a lock, two processes that create the same table at once fail. It ends with the transaction, also through pgbouncer.
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`muxue_rag tables ${schema}`]);
    const known = await tx.query<{ known: boolean }>("select to_regnamespace($1) is not null as known", [
      quotedName(schema),
    ]);
    // Asked before, because `if not exists` needs the right to create schemas even where there is nothing to do.
    if (known[0]?.known !== true) await tx.query(`create schema ${quotedName(schema)}`);
    const table = await tx.query<{ known: boolean }>("select to_regclass($1) is not null as known", [
      inSchema("{meta}", schema),
    ]);
    if (table[0]?.known !== true) {
      await tx.query(inSchema("create table {meta} (version integer not null)", schema));
      await tx.query(inSchema("insert into {meta} (version) values (0)", schema));
    }
    const version = await schemaVersion(tx, schema) ?? 0;
    checkVersion(version, schema);
    if (version >= migrations.length) return;
    for (const statement of migrations.slice(version).flat()) await tx.query(inSchema(statement, schema));
    await tx.query(inSchema("update {meta} set version = $1", schema), [migrations.length]);
  });
}

/** Whether tables of a version can be used as they are. Throws `store_newer`. */
export function isCurrent(version: number | undefined, schema: string): boolean {
  checkVersion(version ?? 0, schema);
  return version === MIGRATIONS.length;
}

function checkVersion(version: number, schema: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new UserError("store_newer", { schema, version, known: MIGRATIONS.length });
}
