// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Bytes in PostgreSQL for each chunk, by table, with indexes and what is kept outside of rows: `deno run -A research/postgres_sizes.ts [chunks]
 * [dimensions of a neural model]`, on the server of `deno task test:postgres`. English text of 1,200 characters a chunk, ten chunks
 * a file, vectors of the built-in table in the index; random vectors of a neural model (`neural_vector`), and in pgvector (`vector`) those of
 * the built-in table.
 */
import { contentHash, quantizeRow } from "#engine/index/mod.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { bringVectors } from "#library/store/vectors/bring_vectors.ts";
import { BUILTIN_ID, encodeWords, loadTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { wordsOf } from "../scripts/bench/corpus.ts";
import { chunks, random } from "../scripts/bench/text.ts";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";

const [COUNT = 100_000, DIMENSIONS = 384] = Deno.args.map(Number);
