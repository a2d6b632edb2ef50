import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Language } from "../messages.ts";
import { parameterProblems } from "./_check_parameters.ts";
import type { RequestGate } from "./_request_gate.ts";

/** The work that a connection may do, for transports that do not limit it themselves. */
export interface ConnectionGuard {
  /** Starts the requests in the order of arrival, as far as there is capacity. */
  readonly gate?: RequestGate;
  /** The cost of a request, from 0 to the gate's capacity. */
  readonly cost?: (request: JSONRPCRequest) => number;
  /** Called once for each request, when it is answered or given up. */
  readonly onSettled?: (request: JSONRPCRequest, outcome: Outcome) => void;
}

type Id = JSONRPCRequest["id"];
type Outcome = "answered" | "failed" | "cancelled";

/** A request under way. */
interface OpenRequest {
  readonly request: JSONRPCRequest;
  /** Frees its capacity, the first time it is called. */
  readonly settle: (outcome: Outcome) => void;
  /** Whether a handler works on it, see {@linkcode keepCapacity}. */
  isHandled: boolean;
}

const OPEN = new WeakMap<McpServer, ReadonlyMap<Id, OpenRequest>>();

/** Code for a resource that does not exist, in revisions before 2026-07-28. The SDK writes that of invalid parameters. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Makes the server check the parameters of requests before the SDK does, whose errors are JSON of its validator under the
 * code of internal errors, and start them through the gate. Call it before the server is connected.
 */
export function guardConnection(
  server: McpServer,
  language: Language,
  { gate, cost = () => 0, onSettled }: ConnectionGuard,
): void {
  const open = new Map<Id, OpenRequest>();
  OPEN.set(server, open);
  const cancel = (id: Id) => {
    const entry = open.get(id);
    if (entry !== undefined && !entry.isHandled) entry.settle("cancelled");
  };
  const begin = (request: JSONRPCRequest): symbol => {
    const key = Symbol();
    let isSettled = false;
    const settle = (outcome: Outcome) => {
      if (isSettled) return;
      isSettled = true;
      if (open.get(request.id)?.settle === settle) open.delete(request.id);
      if (gate?.withdraw(key) === false) gate.settle(key);
      onSettled?.(request, outcome);
    };
    open.set(request.id, { request, settle, isHandled: false });
    return key;
  };
  const connect = server.connect.bind(server);
  server.connect = async (transport: Transport) => {
    await connect(transport);

    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const request = "id" in message && message.id !== undefined ? open.get(message.id)?.request : undefined;
      const written = withoutIcons(withCodeOfEra(message, request), request);
      // Before the answer is sent: a connection for one request closes with it.
      if ("id" in message && !("method" in message) && message.id !== undefined) {
        open.get(message.id)?.settle("error" in message ? "failed" : "answered");
      }
      await send(written, options);
    };
    const closed = transport.onclose;
    transport.onclose = () => {
      // It aborts the handlers, so that their work stops before other work starts.
      closed?.();
      for (const id of [...open.keys()]) cancel(id);
    };
    const deliver = transport.onmessage!;
    transport.onmessage = <T extends JSONRPCMessage>(incoming: T, extra?: Parameters<typeof deliver>[1]) => {
      if (isJSONRPCNotification(incoming) && incoming.method === "notifications/cancelled") {
        const { requestId } = incoming.params ?? {};
        deliver(incoming, extra);
        return queueMicrotask(() => cancel(requestId as Id));
      }
      if (!isJSONRPCRequest(incoming)) return deliver(incoming, extra);
      const message = withToolName(incoming);
      const key = begin(message);
      const problem = parameterProblems(language, message);
      if (problem !== undefined) {
        return void transport.send({
          jsonrpc: "2.0",
          id: message.id,
          error: { code: ProtocolErrorCode.InvalidParams, message: problem },
        });
      }
      const units = gate === undefined ? 0 : cost(message);
      if (units === 0) return deliver(message, extra);
      gate!.add({ key, cost: units, bytes: 0, start: () => deliver(message, extra) });
    };
  };
}

/**
 * Lets a request keep its capacity until the result is disposed, also where it is cancelled meanwhile: a client that cancels
 * its requests at once must not begin more work than one that waits for the answers. For handlers that take more than a
 * moment.
 */
export function keepCapacity(server: McpServer, { id, signal }: ServerContext["mcpReq"]): Disposable {
  const entry = OPEN.get(server)?.get(id);
  if (entry !== undefined) entry.isHandled = true;
  return {
    [Symbol.dispose]() {
      if (entry === undefined) return;
      entry.isHandled = false;
      if (signal.aborted) entry.settle("cancelled");
    },
  };
}

/** The message, with the code of its revision where it says that a resource does not exist. */
function withCodeOfEra(message: JSONRPCMessage, request: JSONRPCRequest | undefined): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { method, params } = request ?? {};
  const isAboutResource = method?.startsWith("resources/") && hasUri(message.error.data);
  if (!isAboutResource || params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return message;
  return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
}

function hasUri(data: unknown): boolean {
  return typeof data === "object" && data !== null && "uri" in data;
}

/** The message without the server's icon, which the SDK would send with every answer of revision 2026-07-28. */
function withoutIcons(message: JSONRPCMessage, request: JSONRPCRequest | undefined): JSONRPCMessage {
  if (!("result" in message) || request?.method === "server/discover") return message;
  const info = message.result._meta?.[SERVER_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("icons" in info)) return message;
  const { icons: _, ...rest } = info;
  const _meta = { ...message.result._meta, [SERVER_INFO_META_KEY]: rest };
  return { ...message, result: { ...message.result, _meta } };
}

/**
 * The request, with `search_rag` for a tool `search`: other servers call theirs so, and models write what they know. It takes the question as
 * `query` too. The alias is not listed.
 */
function withToolName(request: JSONRPCRequest): JSONRPCRequest {
  const { method, params } = request;
  if (method !== "tools/call" || params?.["name"] !== "search") return request;
  const args = params["arguments"];
  const isObject = typeof args === "object" && args !== null;
  const { query, ...others } = (isObject ? args : {}) as Record<string, unknown>;
  const given = query === undefined || "keyword" in others ? args : { keyword: query, ...others };
  return {
    ...request,
    params: { ...params, name: "search_rag", ...(given !== undefined && { arguments: given }) },
  };
}
