import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Returns the file of a database after these statements, as SQLite writes it. */
export function databaseOf(...statements: readonly string[]): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), "database"));
  try {
    const path = join(folder, "a.db");
    const database = new DatabaseSync(path);
    for (const statement of statements) database.exec(statement);
    database.close();
    return new Uint8Array(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
