import { type Database, quotedName } from "#library/store/postgres/database.ts";

/** The statements of the guide that make the roles of readers and writers. There the schema and its owner are called `muxue_rag`. */
async function statementsOfGuide(): Promise<string[]> {
  const page = new URL("../../../../examples/docs/en/team-server.md", import.meta.url);
  const blocks = (await Deno.readTextFile(page)).matchAll(/^```sql\n(.*?)^```/gms);
  const block = [...blocks].map(([, text = ""]) => text).find((text) => text.includes("muxue_rag_reader"));
  return block!.split(";").map((statement) => statement.trim()).filter((statement) => statement !== "");
}

/** Makes the roles of a schema, and the schema. `owner`: the role that makes the tables. Disposal removes roles and schema. */
export async function makeRoles(database: Database, schema: string, owner: string): Promise<AsyncDisposable> {
  for (const statement of await statementsOfGuide()) {
    const named = statement.replaceAll(/\bmuxue_rag_(reader|writer)\b/g, `${schema}_$1`)
      .replaceAll(/\bschema (if not exists )?muxue_rag\b/g, `schema $1${schema}`)
      .replaceAll(/\bmuxue_rag\b/g, owner);
    await database.query(named);
  }
  return {
    async [Symbol.asyncDispose]() {
      const roles = ["reader", "writer"].map((role) => quotedName(`${schema}_${role}`));
      await database.query(`drop schema if exists ${quotedName(schema)} cascade`);
      for (const role of roles) await database.query(`drop owned by ${role}`);
      for (const role of roles) await database.query(`drop role ${role}`);
    },
  };
}
