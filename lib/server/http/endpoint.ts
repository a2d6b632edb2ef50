/**
 * The endpoint of MCP over HTTP: single requests, sessions with their clients, and counters.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  InMemoryServerEventBus,
  isInitializeRequest,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createServer, offerTools } from "../create_server.ts";
import type { ServerParts } from "../identity.ts";
import { type ConnectionGuard, type RequestGate, REQUESTS } from "../guard_connection.ts";
import { errorResponse, type HttpLimits, requestIdOf, withRequestId } from "./exchange.ts";
import { requestCost } from "../tools/mod.ts";
import { relayChanges, relayNotes } from "../connected_client.ts";

/** Messages that one body may hold, in the revision that allows several. */
const MAX_BATCH = 100;

/** The protocol over HTTP: both eras, each request by itself. */
export class Endpoint {
  readonly sessions: Sessions;
  readonly #modern: McpHttpHandler;
  readonly #gate: RequestGate;
  readonly #limits: HttpLimits;
  readonly #guard: ConnectionGuard;
  readonly #metrics: Metrics;
  #streams = 0;

  /** `metrics` counts the requests, and those that are refused because the server is busy. `gate` is that of all endpoints. */
  constructor(parts: ServerParts, limits: HttpLimits, metrics: Metrics, gate: RequestGate) {
    this.#limits = limits;
    this.#gate = gate;
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
    const { changes = new InMemoryServerEventBus(onError), notes } = parts;
    const relay = (server: McpServer) => {
      relayChanges(server, changes, "legacy");
      if (notes !== undefined) relayNotes(server, notes);
    };
    this.sessions = new Sessions(create, relay, limits, onError);
    this.#modern = createMcpHandler(create, {
      legacy: "reject",
      bus: changes,
      onerror: onError,
      maxSubscriptions: limits.streams,
      keepAliveMs: limits.keepAliveMs,
    });
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

/** Numbers for Prometheus, without content: no query, no path, no name that a client has chosen. */
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

type SessionLimits = Pick<HttpLimits, "sessions" | "sessionMs" | "keepAliveMs">;

/** A client that has initialized. */
interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams under way. */
  busy: number;
  /** Ids of the requests that are not answered yet. */
  readonly openIds: Set<string | number>;
  /** Whether the client has sent more than `initialize`. */
  isUsed: boolean;
  /** When the last request ended, in milliseconds of the monotonic clock. */
  usedAt: number;
}

/** The clients of the protocol revisions with sessions, up to 2025-11-25. */
class Sessions {
  readonly #create: () => McpServer;
  readonly #limits: SessionLimits;
  readonly #onError: (error: Error) => void;
  readonly #sessions = new Map<string, Session>();

  /** `create` makes the server of a session; `relay` tells its client what changes from then on. */
  constructor(
    create: () => McpServer,
    readonly relay: (server: McpServer) => void,
    limits: SessionLimits,
    onError: (error: Error) => void,
  ) {
    this.#create = create;
    this.#limits = limits;
    this.#onError = onError;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers an HTTP request. `body`: the parsed body of a POST. `id`: that of its request, for errors. */
  async handle(request: Request, body: unknown, id: string | number | null): Promise<Response> {
    const sessionId = request.headers.get("mcp-session-id");
    if (sessionId === null) {
      if (isInitializeRequest(body)) return await this.#begin(request, body);
      const text = "Bad Request: send initialize first, then the header Mcp-Session-Id of its answer";
      return errorResponse(400, -32000, text, id);
    }
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      return errorResponse(404, -32001, "Session not found: send initialize to begin a new one", id);
    }
    session.isUsed = true;
    return await this.#serve(session, request, body);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const server = this.#create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
        this.#endIdle();
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
      keepAliveMs: this.#limits.keepAliveMs,
    });
    const session: Session = {
      server,
      transport,
      busy: 0,
      openIds: new Set<string | number>(),
      isUsed: false,
      usedAt: performance.now(),
    };
    server.server.onerror = this.#onError;
    await server.connect(transport);
    this.relay(server);
    const response = await this.#serve(session, request, body);
    // A refused initialize begins no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #serve(session: Session, request: Request, parsedBody: unknown): Promise<Response> {
    const ids = requestIdsIn(parsedBody);
    // The SDK would send the answers to both requests on the stream of the later one.
    if (new Set(ids).size < ids.length || ids.some((id) => session.openIds.has(id))) {
      const text = "Invalid request: another request with the same id has no answer yet";
      return errorResponse(400, -32600, text);
    }
    for (const id of ids) session.openIds.add(id);
    session.busy++;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      session.busy--;
      for (const id of ids) session.openIds.delete(id);
      session.usedAt = performance.now();
      if (this.size > this.#limits.sessions) this.#endIdle();
    };
    try {
      const parsed = parsedBody === undefined ? {} : { parsedBody };
      const response = await session.transport.handleRequest(request, parsed);
      if (response.body === null) {
        end();
        return response;
      }
      const giveUp = () => {
        for (const requestId of ids) cancel(session.transport, requestId);
        end();
      };
      return new Response(whenOver(response.body, end, giveUp), response);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Ends sessions that were not used for long, and further ones while there are too many. */
  #endIdle(): void {
    const idle = [...this.#sessions].filter(([, { busy }]) => busy === 0)
      .sort(([, a], [, b]) => Number(a.isUsed) - Number(b.isUsed) || a.usedAt - b.usedAt);
    const old = performance.now() - this.#limits.sessionMs;
    for (const [id, { usedAt }] of idle) {
      if (usedAt > old && this.size <= this.#limits.sessions) continue;
      void this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close().catch(this.#onError);
  }
}

/** Stops a request whose client has gone. Its answer could not be fetched later: the server keeps none. */
function cancel(transport: WebStandardStreamableHTTPServerTransport, requestId: string | number): void {
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
}

function requestIdsIn(body: unknown): (string | number)[] {
  return (Array.isArray(body) ? body : [body]).map(requestIdOf).filter((id) => id !== null);
}

/** The stream, with a call when it ends or fails, and another when it is cancelled. */
function whenOver(
  stream: ReadableStream<Uint8Array>,
  end: () => void,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      giveUp();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
