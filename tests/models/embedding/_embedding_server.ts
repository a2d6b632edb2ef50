import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Config } from "#foundation/configuration/mod.ts";
import { DEFAULTS } from "#foundation/configuration/defaults.ts";
import { SELF_SIGNED } from "./_self_signed.ts";

/** A request that the server received. */
export interface Received {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions: number | undefined;
  /** `performance.now()` when it was received. */
  readonly at: number;
}

/** A fault of the server, instead of a correct answer. */
export type Fault =
  /** Another answer; an object is sent as JSON. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Closes the connection before or during the answer. */
  | "cut"
  | "cut in the answer"
  /** Does not answer until the connection ends. */
  | "hang"
  /** The correct vectors in another order with their `index`, or without `index`, or with the same one for all. */
  | "shuffled"
  | "no index"
  | "index 0"
  | "index twice"
  | "one too few"
  | "one too many"
  | "wrong dimension"
  | "NaN"
  | "null"
  | "zeros"
  /** An answer that does not end until the client closes the connection. */
  | "endless";

/** Chooses the fault of a request, or `undefined` for a correct answer. A promise delays the answer. */
export type Rule = (request: Received) => Fault | undefined | Promise<undefined>;

/** A server with the OpenAI embeddings protocol over HTTP, whose faults a test can choose. */
export class EmbeddingServer implements AsyncDisposable {
  /** All requests for vectors, in order. */
  readonly requests: Received[] = [];
  /** Faults of the next requests, in order; `undefined` for a correct answer. */
  readonly faults: (Fault | undefined)[] = [];
  /** Chooses the fault of all other requests. */
  rule: Rule = () => undefined;
  /** The models that `GET /v1/models` lists. */
  models: readonly string[] = ["test-embed", "chat"];
  dimensions = 8;
  /** Changes all vectors, as if the model had been replaced under the same name. */
  version = "";
  /** Highest number of simultaneous requests. */
  concurrent = 0;
  /** Milliseconds before an answer. */
  delayMs = 0;
  #underWay = 0;
  #port = 0;
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #sockets = new Set<Socket>();
  readonly #protocol: string;

  private constructor(tls: boolean) {
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    this.#protocol = tls ? "https" : "http";
    this.#server = tls ? createHttpsServer(SELF_SIGNED, answer) : createHttpServer(answer);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("tlsClientError", () => {});
  }

  /** Starts a server on a port of 127.0.0.1. Default: a free port. */
  static async start({ tls = false, port = 0 } = {}): Promise<EmbeddingServer> {
    const server = new EmbeddingServer(tls);
    await new Promise<void>((resolve) => server.#server.listen(port, "127.0.0.1", resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  /** The port, also after the server has stopped. */
  get port(): number {
    return this.#port;
  }

  /** `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    return `${this.#protocol}://127.0.0.1:${this.#port}/v1`;
  }

  /** Returns a complete configuration for this server. */
  config(changes: Partial<Config["embedding"]> = {}): Config["embedding"] {
    return embeddingConfig({ "base_url": this.url, ...changes });
  }

  /** All texts that were received, in order. */
  texts(): string[] {
    return this.requests.flatMap(({ input }) => input);
  }

  /** The number of texts in each request. */
  batches(): number[] {
    return this.requests.map(({ input }) => input.length);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += part;
    const path = request.url ?? "";
    if (request.method === "GET" && path.endsWith("/models")) {
      return json(response, 200, {
        object: "list",
        data: this.models.map((id) => ({ id, object: "model" })),
      });
    }
    if (request.method !== "POST" || !/\/embeddings(?:\?|$)/.test(path)) {
      return json(response, 404, { error: "no such page" });
    }
    const { model, input, dimensions } = JSON.parse(text);
    const headers = request.headers as Record<string, string>;
    const received: Received = { path, headers, model, input, dimensions, at: performance.now() };
    this.requests.push(received);
    this.concurrent = Math.max(this.concurrent, ++this.#underWay);
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    this.#underWay--;
    const ordered = this.faults.length > 0 ? this.faults.shift() : undefined;
    const decided = ordered ?? this.rule(received);
    // No delay unless a test asks for one.
    this.#send(response, received, decided instanceof Promise ? await decided : decided);
  }

  #send(response: ServerResponse, { input, model, dimensions }: Received, fault: Fault | undefined): void {
    if (typeof fault === "object") return json(response, fault.status, fault.body, fault.headers);
    const count = dimensions ?? this.dimensions;
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: [...vectorOf(this.version + text, count)] as (number | null)[],
    }));
    const whole = (items: unknown) => ({ object: "list", model, data: items, usage: { "prompt_tokens": 1 } });
    switch (fault) {
      case "hang":
        return;
      case "cut":
        return void response.socket?.destroy();
      case "cut in the answer":
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write('{"object": "list", "data": [');
        return void setTimeout(() => response.socket?.destroy(), 20);
      case "endless": {
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          while (!response.destroyed && response.write(" ".repeat(1 << 20)));
        };
        response.on("drain", more);
        return more();
      }
      case "shuffled":
        return json(response, 200, whole(data.toReversed()));
      case "no index":
        return json(response, 200, whole(data.map(({ embedding }) => ({ embedding }))));
      case "index 0":
        return json(response, 200, whole(data.map((item) => ({ ...item, index: 0 }))));
      case "index twice":
        return json(response, 200, whole(data.map((item, at) => ({ ...item, index: Math.max(0, at - 1) }))));
      case "one too few":
        return json(response, 200, whole(data.slice(1)));
      case "one too many":
        return json(response, 200, whole([...data, data[0]]));
      case "wrong dimension":
        return json(response, 200, whole(data.map((item) => ({ ...item, embedding: [1, 2, 3] }))));
      case "zeros":
        return json(response, 200, whole(data.map((item) => ({ ...item, embedding: Array(count).fill(0) }))));
      case "null":
        data[0]!.embedding[1] = null;
        return json(response, 200, whole(data));
      case "NaN":
        data[0]!.embedding[1] = null;
        response.writeHead(200, { "content-type": "application/json" });
        // NaN, as Python writes it.
        return void response.end(JSON.stringify(whole(data)).replace("null", "NaN"));
      default:
        return json(response, 200, whole(data));
    }
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
}

/** Returns the vector of length 1 that the server sends for a text. */
export function vectorOf(text: string, dimensions = 8): Float32Array {
  let state = 1;
  for (let i = 0; i < text.length; i++) state = (Math.imul(state, 31) + text.charCodeAt(i)) >>> 0;
  const vector = Float32Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns the configuration of an embedding server: the defaults with `changes`. */
export function embeddingConfig(changes: Partial<Config["embedding"]> = {}): Config["embedding"] {
  return {
    provider: "openai-compatible",
    "base_url": "http://127.0.0.1:1/v1",
    "api_key": null,
    model: "test-embed",
    dimensions: null,
    "batch_size": 64,
    concurrency: 5,
    "timeout_seconds": 60,
    "max_retries": 3,
    "query_prefix": null,
    "document_prefix": null,
    "max_input_chars": null,
    local: DEFAULTS.embedding.local,
    ...changes,
  };
}
