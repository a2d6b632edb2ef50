import { deepEqual } from "node:assert/strict";
import type { Config, ConfigOverrides } from "../../lib/config/mod.ts";
import { IndexReader } from "../../lib/index/mod.ts";
import { ingest, type IngestOptions, type IngestSummary } from "../../lib/ingest/mod.ts";
import { indexPath } from "../../lib/store/data_folder.ts";
import { EmbeddingServer, vectorOf } from "../embedding/_embedding_server.ts";
import { config, Place } from "./_place.ts";
import { KEY } from "../index/_blob_forge.ts";

/** Text of the first request of a run, which asks for the dimensions. */
const PROBE = "muxue_rag";
/** Text that tests whether a server that rejects a text rejects everything. */
const PLAIN = "text";

/** Changes to the configuration; `embedding` may have values that a file could not have. */
export interface Changes extends Omit<ConfigOverrides, "embedding"> {
  readonly embedding?: Partial<Config["embedding"]>;
}

/** A folder with an embedding server: four texts in a request, two requests at once, no retries. */
export class RemotePlace implements AsyncDisposable {
  readonly place = new Place();
  /** Requests that {@linkcode sent} has returned. */
  #told = 0;

  private constructor(readonly server: EmbeddingServer) {}

  static async open(files: Readonly<Record<string, string>> = {}): Promise<RemotePlace> {
    const opened = new RemotePlace(await EmbeddingServer.start());
    opened.place.write(files);
    return opened;
  }

  get root(): string {
    return this.place.root;
  }

  /** The whole configuration for the server. */
  async config({ embedding, ...overrides }: Changes = {}): Promise<Config> {
    const few = { "batch_size": 4, concurrency: 2, "max_retries": 0 };
    return { ...await config(overrides), embedding: this.server.config({ ...few, ...embedding }) };
  }

  async ingest(changes: Changes = {}, options: IngestOptions = {}): Promise<IngestSummary> {
    return await ingest(this.root, await this.config(changes), this.place.context, options);
  }

  /** Returns the key and the message of the error that a run ends with; the text of an error that is not a `UserError`. */
  async failure(changes: Changes = {}, options: IngestOptions = {}): Promise<[key: string, message: string]> {
    return await this.ingest(changes, options).then(
      () => ["no error", ""],
      (error) => [error.key ?? String(error), error.message],
    );
  }

  /** Returns the texts that the server got since the last call, sorted; a text that was sent twice is in the list twice. */
  sent(): string[] {
    const fresh = this.server.requests.slice(this.#told);
    this.#told = this.server.requests.length;
    return fresh.flatMap(({ input }) => input).filter((text) => !text.endsWith(PROBE) && text !== PLAIN)
      .sort();
  }

  /** Returns the texts in the index. Asserts that `zeros` have no vector, and that all others have that of the server. */
  texts({ zeros = [], dimensions = 8 }: { zeros?: readonly string[]; dimensions?: number } = {}): string[] {
    using reader = IndexReader.open(Deno.openSync(indexPath(this.root)), { key: KEY });
    reader.verify();
    const texts = Array.from({ length: reader.chunks.length }, (_, chunk) => reader.text(chunk));
    const rounded = (vector: Float32Array) => Array.from(vector, (value) => value.toFixed(5));
    const wanted = (text: string) =>
      zeros.includes(text) ? new Float32Array(dimensions) : vectorOf(this.server.version + text, dimensions);
    deepEqual(
      texts.map((text, chunk) => [text, rounded(reader.vectors!.exact(chunk))]),
      texts.map((text) => [text, rounded(wanted(text))]),
    );
    return texts;
  }

  /** Names of the cache files with vectors that are not in an index yet. */
  caches(): string[] {
    return this.place.dataFolder().filter((name) => name.startsWith("vectors-"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}

/** Returns `count` files of one chunk each: `1.txt` holds `text 1`. */
export function numbered(count: number, first = 1): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${first + i}.txt`, `text ${first + i}`]),
  );
}
