import { type Database, quotedName } from "#library/store/postgres/database.ts";

/** The statements of the guide that make the roles of a schema, `muxue_rag` in the guide. The owner's has a password there. */
const ROLES = [
  `create role muxue_rag_owner login`,
  `create role muxue_rag_reader nologin`,
  `create role muxue_rag_writer nologin`,
  `grant muxue_rag_reader, muxue_rag_writer to muxue_rag_owner`,
  `create schema muxue_rag authorization muxue_rag_owner`,
  `grant usage on schema muxue_rag to muxue_rag_reader, muxue_rag_writer`,
  `alter default privileges for role muxue_rag_owner in schema muxue_rag
  grant select on tables to muxue_rag_reader`,
  `alter default privileges for role muxue_rag_owner in schema muxue_rag
  grant select, insert, update, delete on tables to muxue_rag_writer`,
];

/**
 * Makes the roles of a schema, and the schema. `owner`: the role that makes the tables, where it is another one than the one that is made.
 * Returns what removes them when the schema is gone.
 */
export async function makeRoles(
  database: Database,
  schema: string,
  owner?: string,
): Promise<AsyncDisposable> {
  for (const statement of ROLES) {
    const named = statement.replaceAll("muxue_rag", schema);
    const made = /^alter/.test(named) && owner !== undefined
      ? named.replace(`${schema}_owner`, owner)
      : named;
    await database.query(made);
  }
  return {
    async [Symbol.asyncDispose]() {
      const roles = ["reader", "writer", "owner"].map((role) => quotedName(`${schema}_${role}`));
      await database.query(`drop schema if exists ${quotedName(schema)} cascade`);
      for (const role of roles) await database.query(`drop owned by ${role}`);
      for (const role of roles) await database.query(`drop role ${role}`);
    },
  };
}
