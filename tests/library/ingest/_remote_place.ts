import { createHash } from "node:crypto";
import { deepEqual } from "node:assert/strict";
import type { Config, ConfigOverrides } from "#foundation/configuration/mod.ts";
import { serverModels } from "#models/embedding/mod.ts";
import { IndexReader } from "#engine/index/mod.ts";
import {
  ingest,
  type IngestSummary,
  makeNeuralVectors,
  type NeuralOptions,
  type NeuralSummary,
} from "#library/ingest/mod.ts";
import { EmbeddingServer, vectorOf } from "../../models/embedding/_embedding_server.ts";
import { config, indexPath, Place, storeAt } from "./_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

/** Text of the first request, which asks for the dimensions. */
const PROBE = "one";
/** Text that tests whether a server that rejects a text rejects everything. */
const PLAIN = "text";

/** Changes to the configuration; `embedding` may have values that a file could not have. */
export interface Changes extends Omit<ConfigOverrides, "embedding"> {
  readonly embedding?: Partial<Config["embedding"]>;
}

const MODEL = { id: "openai-compatible/test-embed", dimensions: 8 };

/** Expectations of {@linkcode RemotePlace.texts}. */
interface Expected {
  readonly zeros?: readonly string[];
  readonly model?: { readonly id: string; readonly dimensions?: number };
  readonly prefix?: string;
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

  /** Builds or updates the index, without vectors of the server. */
  async index(changes: Changes = {}): Promise<IngestSummary> {
    return await ingest(this.root, await this.config(changes), this.place.context, { full: true });
  }

  /** Requests the vectors that the index lacks. */
  async embed(changes: Changes = {}, options: Partial<NeuralOptions> = {}): Promise<NeuralSummary> {
    const models = serverModels((await this.config(changes)).embedding)!;
    return await makeNeuralVectors(storeAt(this.root), models, options);
  }

  /** Updates the index and requests its vectors. */
  async ingest(changes: Changes = {}, options: Partial<NeuralOptions> = {}): Promise<NeuralSummary> {
    await ingest(this.root, await this.config(changes), this.place.context);
    return await this.embed(changes, options);
  }

  /** Returns the key and the message of the error that a run ends with; the text of an error that is not a `UserError`. */
  async failure(
    changes: Changes = {},
    options: Partial<NeuralOptions> = {},
  ): Promise<[key: string, message: string]> {
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

  /** Returns the texts in the index. Asserts that `zeros` have no vector of the server, and that all others have theirs. */
  async texts(
    { zeros = [], model: { id, dimensions = 8 } = MODEL, prefix = "" }: Expected = {},
  ): Promise<string[]> {
    using reader = IndexReader.open(Deno.openSync(indexPath(this.root)), { key: KEY });
    reader.verify();
    const texts = Array.from({ length: reader.chunks.length }, (_, chunk) => reader.text(chunk));
    using vectors = this.place.store.vectors.read({ id, dimensions });
    await vectors.refresh();
    const rows = await vectors.rowsOf(texts.map((text) => createHash("sha256").update(text).digest()));
    const cosine = async (text: string, i: number) => {
      if (rows[i] === -1) return [text, "none"];
      const cosines = await vectors.cosines(vectorOf(this.server.version + prefix + text, dimensions));
      return [text, cosines[rows[i]!]!.toFixed(1)];
    };
    deepEqual(
      await Promise.all(texts.map(cosine)),
      texts.map((text) => [text, zeros.includes(text) ? "0.0" : "1.0"]),
    );
    return texts;
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
