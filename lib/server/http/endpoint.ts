/**
 * The endpoint of MCP over HTTP, for sessions and for single requests, and its counters.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  InMemoryServerEventBus,
  type JSONRPCRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { createServer, offerTools, type ServerParts } from "../create_server.ts";
import { type ConnectionGuard, RequestGate, REQUESTS } from "../guard_connection.ts";
import { errorResponse, type HttpLimits, requestIdOf, withRequestId } from "./exchange.ts";
import { Sessions } from "./sessions.ts";
import { CAPACITY, requestCost } from "../tools/mod.ts";

/** Messages that one body may hold, in the revision that allows several. */
const MAX_BATCH = 100;

/** The protocol over HTTP: both eras, each request by itself. */
export class Endpoint {
  readonly sessions: Sessions;
  readonly #modern: McpHttpHandler;
  readonly #gate = new RequestGate(CAPACITY, 0);
  readonly #limits: HttpLimits;
  readonly #guard: ConnectionGuard;
  readonly #metrics: Metrics;
  #streams = 0;

  /** `metrics` counts the requests, and those that are refused because the server is busy. */
  constructor(parts: ServerParts, limits: HttpLimits, metrics: Metrics) {
    this.#limits = limits;
    this.#metrics = metrics;
    const startedAt = new WeakMap<JSONRPCRequest, number>();
    this.#guard = {
      gate: this.#gate,
      cost: (request) => {
        startedAt.set(request, performance.now());
        return requestCost(request);
      },
      onSettled: (request, outcome) => {
        const name = REQUESTS.has(request.method) ? request.method : "other";
        const began = startedAt.get(request);
        metrics.requested(name, outcome, began === undefined ? 0 : (performance.now() - began) / 1000);
      },
    };
    const onError = (error: Error) => parts.log.debug("mcp_error", { error: error.message });
    const tools = offerTools(parts);
    const create = () => createServer(parts, tools, this.#guard);
    const { changes = new InMemoryServerEventBus(onError) } = parts;
    this.sessions = new Sessions(create, { changes, notes: parts.notes }, limits, onError);
    this.#modern = createMcpHandler(create, {
      legacy: "reject",
      bus: changes,
      onerror: onError,
      maxSubscriptions: limits.streams,
      keepAliveMs: limits.keepAliveMs,
    });
  }

  /** Requests that wait for capacity. */
  get waiting(): number {
    return this.#gate.waiting;
  }

  /** Streams of notifications that are open. */
  get streams(): number {
    return this.#streams;
  }

  /** Answers a request whose headers are checked. `body`: the parsed body of a POST. */
  async handle(request: Request, body: unknown): Promise<Response> {
    const id = requestIdOf(body);
    // A cancellation or the end of a session frees capacity.
    if (this.#gate.waiting >= this.#limits.waiting && hasRequest(body)) {
      this.#metrics.refused("busy");
      return errorResponse(503, -32000, "The server is busy. Try again later", id, { "Retry-After": "1" });
    }
    if (Array.isArray(body) && (body.length === 0 || body.length > MAX_BATCH)) {
      return errorResponse(400, -32600, `Invalid request: a batch holds 1 to ${MAX_BATCH} messages`);
    }
    const isStream = request.method === "GET";
    if (isStream && this.#streams >= this.#limits.streams) {
      this.#metrics.refused("busy");
      return errorResponse(503, -32000, "Too many open streams", null, { "Retry-After": "60" });
    }
    const response = await this.#route(request, body, id);
    if (!isStream || response.body === null || response.status !== 200) {
      return await withRequestId(response, id);
    }
    this.#streams++;
    request.signal.addEventListener("abort", () => this.#streams--);
    return response;
  }

  /** Ends all sessions and requests. */
  async close(): Promise<void> {
    await Promise.all([this.sessions.close(), this.#modern.close()]);
  }

  async #route(request: Request, body: unknown, id: string | number | null): Promise<Response> {
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const outcome = classifyInboundRequest(
      {
        httpMethod: request.method,
        protocolVersionHeader: header("mcp-protocol-version"),
        mcpMethodHeader: header("mcp-method"),
        mcpNameHeader: header("mcp-name"),
        body,
      } as Parameters<typeof classifyInboundRequest>[0],
    );
    if (outcome.kind === "legacy") return await this.sessions.handle(request, body, id);
    return await this.#modern.fetch(request, { parsedBody: body });
  }
}

/** Whether a parsed body holds a request, alone or in a batch. */
function hasRequest(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some((message) => requestIdOf(message) !== null);
}

/** Upper bounds of the durations that are counted apart, in seconds. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10] as const;

/** Counts of one kind of request. */
interface Durations {
  readonly counts: number[];
  sum: number;
}

/**
 * Numbers about the server in the text format of Prometheus. They hold no content: no query, no path, no name that a client has
 * chosen.
 */
export class Metrics {
  readonly #responses = new Map<number, number>();
  readonly #requests = new Map<string, Durations>();
  readonly #refused = new Map<string, number>();
  readonly #gauges: Readonly<Record<string, () => number>>;

  /** `gauges`: the current value of each number that goes up and down, by its name. */
  constructor(gauges: Readonly<Record<string, () => number>>) {
    this.#gauges = gauges;
  }

  /** Counts an HTTP response. */
  responded(status: number): void {
    this.#responses.set(status, (this.#responses.get(status) ?? 0) + 1);
  }

  /** Counts a refused connection or request. */
  refused(
    reason: "rate" | "busy" | "host" | "token" | "body" | "timeout" | "unread" | "malformed" | "room",
  ): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  /** Counts a request of the protocol. `name` and `outcome` must come from a fixed list. */
  requested(name: string, outcome: string, seconds: number): void {
    const labels = `method="${name}",outcome="${outcome}"`;
    let durations = this.#requests.get(labels);
    if (durations === undefined) {
      this.#requests.set(labels, durations = { counts: Array(BOUNDS.length + 1).fill(0), sum: 0 });
    }
    const bound = BOUNDS.findIndex((bound) => seconds <= bound);
    durations.counts[bound < 0 ? BOUNDS.length : bound]!++;
    durations.sum += seconds;
  }

  /** All numbers, one a line. */
  text(): string {
    const lines = [
      "# TYPE muxue_rag_http_responses_total counter",
      ...[...this.#responses].map(([status, count]) =>
        `muxue_rag_http_responses_total{status="${status}"} ${count}`
      ),
      "# TYPE muxue_rag_refused_total counter",
      ...[...this.#refused].map(([reason, count]) => `muxue_rag_refused_total{reason="${reason}"} ${count}`),
      "# TYPE muxue_rag_requests_seconds histogram",
      ...[...this.#requests].flatMap(([labels, durations]) => histogram(labels, durations)),
    ];
    for (const [name, value] of Object.entries(this.#gauges)) {
      lines.push(`# TYPE muxue_rag_${name} gauge`, `muxue_rag_${name} ${value()}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

function histogram(labels: string, { counts, sum }: Durations): string[] {
  let total = 0;
  const buckets = [...BOUNDS, "+Inf"].map((bound, at) => {
    total += counts[at]!;
    return `muxue_rag_requests_seconds_bucket{${labels},le="${bound}"} ${total}`;
  });
  return [
    ...buckets,
    `muxue_rag_requests_seconds_sum{${labels}} ${Number(sum.toFixed(6))}`,
    `muxue_rag_requests_seconds_count{${labels}} ${total}`,
  ];
}
