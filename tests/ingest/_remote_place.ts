import { deepEqual } from "node:assert/strict";
import type { Config, ConfigOverrides } from "../../lib/config/mod.ts";
import { IndexReader } from "../../lib/index/mod.ts";
import { ingest, type IngestOptions, type IngestSummary } from "../../lib/ingest/mod.ts";
import { indexPath } from "../../lib/store/data_folder.ts";
import { EmbeddingServer, vectorOf } from "../embedding/_embedding_server.ts";
import { config, Place } from "./_place.ts";
import { KEY } from "../index/_blob_forge.ts";

/** The first request of a run to a server, if nobody knows how many numbers its vectors have. */
const PROBE = "muxue_rag";
/** The text it sends to see whether a server that refuses a text refuses everything. */
const PLAIN = "text";

/** Changes to the configuration; the server's part need not be one that a file could hold. */
export interface Changes extends Omit<ConfigOverrides, "embedding"> {
  readonly embedding?: Partial<Config["embedding"]>;
}

/** A folder and a server that embeds it: four texts in a request, two requests at once, none sent again. */
export class RemotePlace implements AsyncDisposable {
  readonly place = new Place();
  /** Requests that {@linkcode sent} has told of. */
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

  /** The key and the message of the error that a run ends with; of one that is no `UserError`, its text. */
  async failure(changes: Changes = {}, options: IngestOptions = {}): Promise<[key: string, message: string]> {
    return await this.ingest(changes, options).then(
      () => ["no error", ""],
      (error) => [error.key ?? String(error), error.message],
    );
  }

  /** The texts that the server got since this was asked last, sorted; the same text as often as it was sent. */
  sent(): string[] {
    const fresh = this.server.requests.slice(this.#told);
    this.#told = this.server.requests.length;
    return fresh.flatMap(({ input }) => input).filter((text) => !text.endsWith(PROBE) && text !== PLAIN)
      .sort();
  }

  /** The texts of the chunks in the index; `zeros`: those that have no vector. All others must have those of the server. */
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

  /** The names of the files in which paid vectors wait for an index. */
  caches(): string[] {
    return this.place.dataFolder().filter((name) => name.startsWith("vectors-"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}

/** So many files, each of one chunk of its own: `1.txt` holds `text 1`. */
export function numbered(count: number, first = 1): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${first + i}.txt`, `text ${first + i}`]),
  );
}
