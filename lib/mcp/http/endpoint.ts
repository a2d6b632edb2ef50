import {
  classifyInboundRequest,
  createMcpHandler,
  InMemoryServerEventBus,
  type JSONRPCRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { REQUESTS } from "../_check_parameters.ts";
import { createServer, declareTools, type ServerParts } from "../_create_server.ts";
import type { ConnectionGuard } from "../_guard_connection.ts";
import { CAPACITY, requestCost } from "../_request_cost.ts";
import { RequestGate } from "../_request_gate.ts";
import { errorResponse, requestIdOf, withRequestId } from "./errors.ts";
import type { HttpLimits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { Sessions } from "./sessions.ts";

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
    const tools = declareTools(parts);
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
