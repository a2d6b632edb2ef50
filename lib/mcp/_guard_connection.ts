import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
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
  readonly onSettled?: (request: JSONRPCRequest, outcome: "answered" | "failed" | "cancelled") => void;
}

type Id = JSONRPCRequest["id"];

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
  const connect = server.connect.bind(server);
  server.connect = async (transport: Transport) => {
    const open = new Map<Id, { readonly request: JSONRPCRequest; readonly key: symbol }>();
    const settle = (id: Id, outcome: "answered" | "failed" | "cancelled") => {
      const entry = open.get(id);
      if (entry === undefined) return;
      open.delete(id);
      if (gate?.withdraw(entry.key) === false) gate.settle(entry.key);
      onSettled?.(entry.request, outcome);
    };
    await connect(transport);

    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const request = "id" in message && message.id !== undefined ? open.get(message.id)?.request : undefined;
      const written = withoutIcons(withCodeOfEra(message, request), request);
      // Before the answer is sent: a connection for one request closes with it.
      if ("id" in message && !("method" in message) && message.id !== undefined) {
        settle(message.id, "error" in message ? "failed" : "answered");
      }
      await send(written, options);
    };
    const closed = transport.onclose;
    transport.onclose = () => {
      // It aborts the handlers, so that their work stops before other work starts.
      closed?.();
      for (const id of [...open.keys()]) settle(id, "cancelled");
    };
    const deliver = transport.onmessage!;
    transport.onmessage = <T extends JSONRPCMessage>(message: T, extra?: Parameters<typeof deliver>[1]) => {
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
        const { requestId } = message.params ?? {};
        deliver(message, extra);
        return queueMicrotask(() => settle(requestId as Id, "cancelled"));
      }
      if (!isJSONRPCRequest(message)) return deliver(message, extra);
      const key = Symbol();
      open.set(message.id, { request: message, key });
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
