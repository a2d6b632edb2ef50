import { DatabaseSync } from "node:sqlite";
import { bigrams } from "./bigrams.ts";
import type { Engine } from "./engine.ts";

/** SQLite FTS5: Porter stemmer, OR of the query's words, bm25(). */
export const fts5: Engine = {
  build(path, chunks) {
    const database = new DatabaseSync(path);
    database.exec(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE chunk(id INTEGER PRIMARY KEY, text TEXT)",
    );
    database.exec("CREATE VIRTUAL TABLE search USING fts5(text, content='', tokenize='porter unicode61')");
    database.exec("BEGIN");
    const insertChunk = database.prepare("INSERT INTO chunk(id, text) VALUES (?, ?)");
    const insert = database.prepare("INSERT INTO search(rowid, text) VALUES (?, ?)");
    let id = 0;
    for (const text of chunks) {
      insertChunk.run(++id, text);
      insert.run(id, bigrams(text));
    }
    database.exec("COMMIT");
    database.close();
    return Promise.resolve(Deno.statSync(path).size);
  },
  open(path) {
    const database = new DatabaseSync(path, { readOnly: true });
    const search = database.prepare(
      "SELECT rowid, bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score LIMIT 10",
    );
    const text = database.prepare("SELECT text FROM chunk WHERE id = ?");
    return Promise.resolve((query) => {
      const words = new Set(bigrams(query).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
      const rows = search.all([...words].map((word) => `"${word}"`).join(" OR ")) as { rowid: number }[];
      for (const { rowid } of rows) text.get(rowid);
      return rows.length;
    });
  },
};
