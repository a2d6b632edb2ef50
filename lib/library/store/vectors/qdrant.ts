/**
 * Vectors in Qdrant: a collection of the server for each model of a folder, a point for each text, over the server's REST interface
 * (1.10 or later).
 */
import type { VectorModel } from "../store.ts";
import { type NearestOptions, PIECE, type VectorProposer, type VectorRows } from "./proposer.ts";
import {
  hashOf,
  RowCollector,
  storedNumbers,
  uuidOf,
  VectorServer,
  type VectorSettings,
} from "./vector_server.ts";

/** Candidates of a search in the server's index, the least. */
const LEAST_EF = 128;
/** Points whose ids are listed at once. */
const LISTED_AT_ONCE = 5000;

/** The vectors of one model in a Qdrant server. */
export class QdrantVectors implements VectorProposer {
  readonly exactUpTo = 0;
  readonly #server: VectorServer;
  readonly #points: string;
  #isMade = false;

  /** `name`: that of the collection on the server. */
  constructor(settings: VectorSettings, readonly name: string, readonly model: VectorModel) {
    this.#server = new VectorServer(settings, "api-key");
    this.#points = `/collections/${name}/points`;
  }

  async nearest(query: Float32Array, { limit, among }: NearestOptions): Promise<VectorRows> {
    const answer = await this.#server.ask("POST", `${this.#points}/query`, {
      query: Array.from(query),
      limit,
      with_payload: true,
      ...(among === undefined
        ? { params: { hnsw_ef: Math.max(LEAST_EF, 2 * limit) } }
        // The server compares each of them.
        : { params: { exact: true }, filter: { must: [{ has_id: among.map(uuidOf) }] } }),
    });
    return this.#rowsIn(answer, ["result", "points"]);
  }

  async rowsOf(hashes: readonly Uint8Array[]): Promise<VectorRows> {
    const answer = await this.#server.ask("POST", this.#points, {
      ids: hashes.map(uuidOf),
      with_payload: true,
    });
    return this.#rowsIn(answer, ["result"]);
  }

  async has(hashes: readonly Uint8Array[]): Promise<boolean[]> {
    const answer = await this.#server.ask("POST", this.#points, {
      ids: hashes.map(uuidOf),
      with_payload: false,
    });
    if (answer === undefined) return hashes.map(() => false);
    const ids = new Set(
      this.#server.listIn(answer, ["result"]).map((point) => (point as { id?: unknown } | null)?.id),
    );
    return hashes.map((hash) => ids.has(uuidOf(hash)));
  }

  async add(rows: VectorRows): Promise<void> {
    await this.#make();
    const { dimensions } = this.model;
    const stored = storedNumbers(rows, dimensions);
    const answer = await this.#server.ask("PUT", `${this.#points}?wait=true`, {
      points: rows.hashes.map((hash, i) => ({
        id: uuidOf(hash),
        vector: Array.from(rows.numbers.subarray(i * dimensions, (i + 1) * dimensions)),
        payload: stored[i],
      })),
    });
    if (answer === undefined) throw this.#server.odd(answer);
  }

  async keepOnly(keeps: (hash: Uint8Array) => boolean): Promise<void> {
    const gone: string[] = [];
    for (let offset: unknown = null;;) {
      const answer = await this.#server.ask("POST", `${this.#points}/scroll`, {
        limit: LISTED_AT_ONCE,
        with_payload: false,
        ...(offset !== null && { offset }),
      });
      if (answer === undefined) return;
      for (const point of this.#server.listIn(answer, ["result", "points"])) {
        const { id } = point as { id?: unknown };
        const hash = hashOf(id);
        if (hash !== undefined && !keeps(hash)) gone.push(String(id));
      }
      const next = (answer as { result: { next_page_offset?: unknown } }).result.next_page_offset ?? null;
      if (next === null || next === offset) break;
      offset = next;
    }
    for (let from = 0; from < gone.length; from += PIECE) {
      await this.#server.ask("POST", `${this.#points}/delete?wait=true`, {
        points: gone.slice(from, from + PIECE),
      });
    }
  }

  /** Makes the collection. The server normalises the vectors of one that compares by cosine. */
  async #make(): Promise<void> {
    if (this.#isMade) return;
    const path = `/collections/${this.name}`;
    if (await this.#server.ask("GET", path) === undefined) {
      await this.#server.ask("PUT", path, { vectors: { size: this.model.dimensions, distance: "Cosine" } });
    }
    this.#isMade = true;
  }

  #rowsIn(answer: unknown, path: readonly string[]): VectorRows {
    const rows = new RowCollector(this.model.dimensions);
    for (const point of this.#server.listIn(answer, path)) {
      const { id, payload } = (point ?? {}) as { id?: unknown; payload?: unknown };
      rows.add(id, payload);
    }
    return rows.rows;
  }
}
