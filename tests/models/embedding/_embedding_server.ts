import type { ServerResponse } from "node:http";
import { type Config, DEFAULTS } from "#foundation/configuration/mod.ts";
import { type Asked, json, JsonServer, type OtherAnswer } from "../_json_server.ts";

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
  | OtherAnswer
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
export class EmbeddingServer extends JsonServer {
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

  /** Starts a server. Default: on a free port. */
  static async start({ tls = false, port = 0 } = {}): Promise<EmbeddingServer> {
    return await new EmbeddingServer(tls).listen(port);
  }

  /** `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    return `${this.origin}/v1`;
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

  protected async answer({ method, path, headers, text }: Asked, response: ServerResponse): Promise<void> {
    if (method === "GET" && path.endsWith("/models")) {
      return json(response, 200, {
        object: "list",
        data: this.models.map((id) => ({ id, object: "model" })),
      });
    }
    if (method !== "POST" || !/\/embeddings(?:\?|$)/.test(path)) {
      return json(response, 404, { error: "no such page" });
    }
    const { model, input, dimensions } = JSON.parse(text);
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
    ...DEFAULTS.embedding,
    provider: "openai-compatible",
    "base_url": "http://127.0.0.1:1/v1",
    model: "test-embed",
    ...changes,
  };
}
