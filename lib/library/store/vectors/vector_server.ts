/** A server that keeps vectors: requests in JSON to its address alone, and failures in plain words. */
import { HASH_BYTES } from "#engine/index/mod.ts";
import type { MessageParams } from "#foundation/messages/mod.ts";
import {
  type Fetch,
  guardedFetch,
  keepFromProxy,
  oddAnswer,
  type RemoteServer,
  remoteServer,
  Retries,
  ServerFailure,
  type ServerFailureKind,
} from "#models/remote/mod.ts";
import type { VectorRows } from "./proposer.ts";

/** The address of a server and its key. */
export interface VectorSettings {
  readonly url: string;
  readonly apiKey: string | null;
}

/** Seconds until a request is given up. A search then compares the vectors itself. */
const TIMEOUT_SECONDS = 10;
/** Tries after the first one, and the longest pause before. */
const MAX_RETRIES = 1, MAX_WAIT_MS = 1000;

/** Failures after which the server is not there; after all others it has refused. */
const ABSENT: readonly ServerFailureKind[] = [
  "refused",
  "unknown_host",
  "certificate",
  "not_tls",
  "cut_off",
  "unreachable",
  "timeout",
  "server_error",
  "rate_limited",
];

/** A request to a vector server that failed. */
class VectorServerFailure extends ServerFailure {
  constructor(
    readonly kind: ServerFailureKind,
    { url = "", words, seconds }: MessageParams,
    options: ConstructorParameters<typeof ServerFailure>[2],
  ) {
    const reason = words ?? (seconds === undefined ? kind.replaceAll("_", " ") : `> ${seconds} s`);
    super(
      ABSENT.includes(kind) ? "vectors_unavailable" : "vectors_refused",
      { address: url, reason },
      options,
    );
  }
}

/** Sends requests to a vector server. */
export class VectorServer {
  readonly #server: RemoteServer;
  readonly #fetch: Fetch;
  readonly #retries = new Retries(MAX_RETRIES, MAX_WAIT_MS);
  readonly #keyHeader: string;

  /** `keyHeader`: the header that the key is sent in. */
  constructor({ url, apiKey }: VectorSettings, keyHeader: string) {
    this.#server = remoteServer(
      { base_url: url, api_key: apiKey, model: null, timeout_seconds: TIMEOUT_SECONDS },
      (kind, params, options) => new VectorServerFailure(kind, params, options),
    );
    this.#fetch = guardedFetch(this.#server);
    this.#keyHeader = keyHeader;
    keepFromProxy(this.#server.baseUrl);
  }

  /** Whether the address names a place below the root of the server. */
  get path(): string {
    return new URL(this.#server.baseUrl).pathname.replace(/\/+$/, "");
  }

  /** Returns the answer to a request; `undefined` if there is nothing at the address. `path` is put behind that of the address. */
  async ask(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<unknown> {
    const url = new URL(this.#server.baseUrl), [place = "", query] = path.split("?");
    url.pathname = this.path + place;
    if (query !== undefined) url.search = query;
    const { apiKey } = this.#server;
    const send = async () => {
      const response = await this.#fetch(url, {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(apiKey !== undefined && { [this.#keyHeader]: apiKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return await response.text();
    };
    let text: string;
    try {
      text = await this.#retries.run(send);
    } catch (error) {
      if (error instanceof ServerFailure && error.kind === "wrong_address") return undefined;
      throw error;
    }
    try {
      return JSON.parse(text);
    } catch {
      throw oddAnswer(this.#server, text);
    }
  }

  /** Returns a list in an answer. Throws {@linkcode VectorServer.odd} if there is none. */
  listIn(answer: unknown, path: readonly string[]): readonly unknown[] {
    let value: unknown = answer;
    for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
    if (!Array.isArray(value)) throw this.odd(answer);
    return value;
  }

  /** Returns the error for an answer that does not have the form of the protocol. */
  odd(answer: unknown): ServerFailure {
    return oddAnswer(this.#server, JSON.stringify(answer ?? null));
  }
}

/** The name that a server gives a set of vectors, from its parts: letters, digits, `_` and `-`, 63 at most. */
export function setName(collection: string, model: string, id: string): string {
  const plain = (text: string, most: number) =>
    text.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "_").slice(0, most).replace(/^_+|_+$/g, "");
  return ["muxue_rag", plain(collection, 20), plain(model, 24), id].filter((part) => part !== "").join("-");
}

/** Returns a content hash as the id of a vector: a UUID. */
export function uuidOf(hash: Uint8Array): string {
  const hex = hash.subarray(0, HASH_BYTES).toHex();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Returns the content hash of an id; `undefined` for any other text. */
export function hashOf(uuid: unknown): Uint8Array | undefined {
  const hex = typeof uuid === "string" ? uuid.replaceAll("-", "") : "";
  return /^[0-9a-f]{32}$/i.test(hex) ? Uint8Array.fromHex(hex) : undefined;
}

/** The record beside a vector: its numbers in base64 and their scale. A server may keep the vector itself in another precision. */
interface StoredNumbers {
  readonly numbers: string;
  readonly scale: number;
}

/** Returns what lies beside each vector. */
export function storedNumbers({ hashes, numbers, scales }: VectorRows, dimensions: number): StoredNumbers[] {
  return hashes.map((_, i) => ({
    numbers: new Uint8Array(numbers.slice(i * dimensions, (i + 1) * dimensions).buffer).toBase64(),
    scale: scales[i]!,
  }));
}

/** Collects rows from answers. An entry that does not have the form of a row is left out, as if the server did not have it. */
export class RowCollector {
  readonly #dimensions: number;
  readonly #hashes: Uint8Array[] = [];
  readonly #rows: Uint8Array[] = [];
  readonly #scales: number[] = [];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  add(id: unknown, stored: unknown): void {
    const hash = hashOf(id),
      { numbers, scale } = (stored ?? {}) as Partial<Record<keyof StoredNumbers, unknown>>;
    if (hash === undefined || typeof numbers !== "string" || typeof scale !== "number") return;
    let bytes;
    try {
      bytes = Uint8Array.fromBase64(numbers);
    } catch {
      return;
    }
    if (bytes.length !== this.#dimensions) return;
    this.#hashes.push(hash);
    this.#rows.push(bytes);
    this.#scales.push(scale);
  }

  get rows(): VectorRows {
    const numbers = new Int8Array(this.#rows.length * this.#dimensions);
    for (const [i, row] of this.#rows.entries()) numbers.set(new Int8Array(row.buffer), i * this.#dimensions);
    return { hashes: this.#hashes, numbers, scales: Float32Array.from(this.#scales) };
  }
}
