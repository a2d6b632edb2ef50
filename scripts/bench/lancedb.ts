import { bigrams } from "./bigrams.ts";
import type { Engine } from "./engine.ts";
import { packaged } from "./packages.ts";

interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<unknown>;
  search(
    query: string,
    type: "fts",
    columns: string,
  ): { limit(count: number): { toArray(): Promise<unknown[]> } };
}
interface Package {
  connect(path: string): Promise<{
    createTable(name: string, rows: readonly object[]): Promise<Table>;
    openTable(name: string): Promise<Table>;
  }>;
  readonly Index: { fts(options?: object): unknown };
}

const ROWS = 20_000;

/** LanceDB's full-text index (BM25, Porter stemmer), Chinese as bigrams. The text is stored beside its bigrams. */
export const lancedb: Engine = {
  async build(path, chunks) {
    const { connect, Index } = packaged<Package>("@lancedb/lancedb");
    const database = await connect(path);
    let table: Table | undefined;
    let rows: { text: string; words: string }[] = [];
    const flush = async () => {
      if (rows.length === 0) return;
      if (table === undefined) table = await database.createTable("chunk", rows);
      else await table.add(rows);
      rows = [];
    };
    for (const text of chunks) {
      rows.push({ text, words: bigrams(text) });
      if (rows.length === ROWS) await flush();
    }
    await flush();
    await table!.createIndex("words", { config: Index.fts({ stem: true, removeStopWords: false }) });
    return sizeOf(path);
  },
  async open(path) {
    const { connect } = packaged<Package>("@lancedb/lancedb");
    const table = await (await connect(path)).openTable("chunk");
    return async (query) => (await table.search(bigrams(query), "fts", "words").limit(10).toArray()).length;
  },
};

function sizeOf(folder: string): number {
  let size = 0;
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    size += isDirectory ? sizeOf(`${folder}/${name}`) : Deno.statSync(`${folder}/${name}`).size;
  }
  return size;
}
