/**
 * Vectors in Chroma: a collection of the server for each model of a folder, an entry for each text, over version 2 of the server's
 * REST interface (Chroma 1.0 or later).
 */
import type { VectorModel } from "../store.ts";
import type { NearestOptions, VectorProposer, VectorRows } from "./proposer.ts";
import {
  hashOf,
  RowCollector,
  storedNumbers,
  uuidOf,
  VectorServer,
  type VectorSettings,
} from "./vector_server.ts";

/** The place of collections, unless the address names one. */
const DEFAULT_PLACE = "/api/v2/tenants/default_tenant/databases/default_database";
/** The server's index: its neighbours, candidates while it is built and candidates of a search. */
const HNSW = { space: "cosine", max_neighbors: 16, ef_construction: 64, ef_search: 256 } as const;
/** Entries in one request: the server's database takes some thousand values in a statement. */
const ENTRIES_AT_ONCE = 1000;
/** Hashes up to which {@linkcode ChromaVectors.nearest} fetches the vectors. The server compares some of them alone. */
const FETCHED = 2000;

/** The vectors of one model in a Chroma server. */
export class ChromaVectors implements VectorProposer {
  readonly exactUpTo = 0;
  readonly #server: VectorServer;
  readonly #collections: string;
  #id: string | undefined;

  /** `name`: that of the collection on the server. */
  constructor(settings: VectorSettings, readonly name: string, readonly model: VectorModel) {
    this.#server = new VectorServer(settings, "x-chroma-token");
    this.#collections = `${this.#server.path.includes("/databases/") ? "" : DEFAULT_PLACE}/collections`;
  }

  async nearest(query: Float32Array, { limit, among }: NearestOptions): Promise<VectorRows> {
    if (among !== undefined && among.length <= FETCHED) return await this.rowsOf(among);
    const rows = new RowCollector(this.model.dimensions);
    const answer = await this.#ask("query", {
      query_embeddings: [Array.from(query)],
      n_results: limit,
      include: ["metadatas"],
      ...(among !== undefined && { ids: among.map(uuidOf) }),
    });
    if (answer === undefined) throw this.#server.odd(answer);
    const [ids, metadatas] = ["ids", "metadatas"].map((name) => this.#server.listIn(answer, [name, "0"]));
    for (const [i, id] of ids!.entries()) rows.add(id, metadatas![i]);
    return rows.rows;
  }

  async rowsOf(hashes: readonly Uint8Array[]): Promise<VectorRows> {
    const rows = new RowCollector(this.model.dimensions);
    for (let from = 0; from < hashes.length; from += ENTRIES_AT_ONCE) {
      const some = hashes.slice(from, from + ENTRIES_AT_ONCE);
      const answer = await this.#ask("get", { ids: some.map(uuidOf), include: ["metadatas"] });
      if (answer === undefined) throw this.#server.odd(answer);
      const [ids, metadatas] = ["ids", "metadatas"].map((name) => this.#server.listIn(answer, [name]));
      for (const [i, id] of ids!.entries()) rows.add(id, metadatas![i]);
    }
    return rows.rows;
  }

  async has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    const there = new Set<unknown>();
    for (let from = 0; from < hashes.length; from += ENTRIES_AT_ONCE) {
      const some = hashes.slice(from, from + ENTRIES_AT_ONCE);
      const answer = await this.#ask("get", { ids: some.map(uuidOf), include: [] });
      if (answer === undefined) return hashes.map(() => false);
      for (const id of this.#server.listIn(answer, ["ids"])) there.add(id);
    }
    return hashes.map((hash) => there.has(uuidOf(hash)));
  }

  async add(rows: VectorRows): Promise<void> {
    const { dimensions } = this.model;
    const stored = storedNumbers(rows, dimensions), ids = rows.hashes.map(uuidOf);
    await this.#make();
    for (let from = 0; from < ids.length; from += ENTRIES_AT_ONCE) {
      const to = Math.min(ids.length, from + ENTRIES_AT_ONCE);
      await this.#ask("upsert", {
        ids: ids.slice(from, to),
        embeddings: Array.from(
          { length: to - from },
          (_, i) => Array.from(rows.numbers.subarray((from + i) * dimensions, (from + i + 1) * dimensions)),
        ),
        metadatas: stored.slice(from, to),
      });
    }
  }

  async keepOnly(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    const gone: string[] = [];
    for (let offset = 0;; offset += ENTRIES_AT_ONCE) {
      const answer = await this.#ask("get", { limit: ENTRIES_AT_ONCE, offset, include: [] });
      if (answer === undefined) return;
      const ids = this.#server.listIn(answer, ["ids"]);
      for (const id of ids) {
        const hash = hashOf(id);
        if (hash !== undefined && !keeps(hash)) gone.push(String(id));
      }
      if (ids.length < ENTRIES_AT_ONCE) break;
    }
    for (let from = 0; from < gone.length; from += ENTRIES_AT_ONCE) {
      await this.#ask("delete", { ids: gone.slice(from, from + ENTRIES_AT_ONCE) });
    }
  }

  /** Makes the collection unless it is there. */
  async #make(): Promise<void> {
    if (this.#id !== undefined) return;
    const answer = await this.#server.ask("POST", this.#collections, {
      name: this.name,
      get_or_create: true,
      configuration: { hnsw: HNSW },
    });
    this.#id = this.#idIn(answer);
  }

  /** Returns the answer to a request about the collection; `undefined` if it is not there. */
  async #ask(what: string, body: unknown): Promise<unknown> {
    if (this.#id === undefined) {
      const answer = await this.#server.ask("GET", `${this.#collections}/${this.name}`);
      if (answer === undefined) return undefined;
      this.#id = this.#idIn(answer);
    }
    const answer = await this.#server.ask("POST", `${this.#collections}/${this.#id}/${what}`, body);
    // The collection was removed on the server.
    if (answer === undefined) this.#id = undefined;
    return answer;
  }

  #idIn(answer: unknown): string {
    const { id } = (answer ?? {}) as { id?: unknown };
    if (typeof id !== "string" || !/^[\w-]+$/.test(id)) throw this.#server.odd(answer);
    return id;
  }
}
