import {
  classifyInboundRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Transport,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";

const CANCELLED = "notifications/cancelled";

/** The revision without connections that the program speaks. */
export const STATELESS_REVISION = "2026-07-28";

/** One connection as two: requests of the revisions with `initialize`, and those that name their revision in `_meta`. */
export interface Eras {
  readonly legacy: Transport;
  readonly modern: Transport;
}

/**
 * Splits a connection by the protocol era of each message. The SDK decides once for a whole connection, so that the first
 * message of an old client would keep all later ones from the new protocol, and it checks the revision of the first request
 * only.
 */
export function splitEras(wire: Transport): Eras {
  const modernIds = new Set<JSONRPCRequest["id"]>();
  let hasLegacy = false;
  let opened: Promise<void> | undefined;
  const close = () => wire.close();
  const open = () => opened ??= wire.start();
  const legacy = new Channel(open, close, (message) => wire.send(message));
  const modern = new Channel(open, close, async (message) => {
    try {
      await wire.send(message);
    } finally {
      if ("id" in message && !("method" in message)) modernIds.delete(message.id!);
    }
  });
  wire.onclose = () => {
    legacy.onclose?.();
    modern.onclose?.();
  };
  wire.onerror = (error) => (legacy.onerror ?? modern.onerror)?.(error);
  wire.onmessage = (message) => {
    if (isJSONRPCRequest(message)) {
      const route = routeOf(message);
      if (route.era === "none") {
        return void wire.send({ jsonrpc: "2.0", id: message.id, error: route.error }).catch(() => {});
      }
      if (route.era === "modern") {
        modernIds.add(message.id);
        return modern.onmessage?.(message);
      }
      hasLegacy = true;
      // A cancelled request has no answer, so its id may still be there.
      modernIds.delete(message.id);
      return legacy.onmessage?.(message);
    }
    if (isJSONRPCNotification(message) && isModern(message, modernIds)) {
      if (message.method === CANCELLED) modernIds.delete(idOfCancelled(message));
      return modern.onmessage?.(message);
    }
    // Without a request before, the message would open a connection of its own.
    if (hasLegacy) legacy.onmessage?.(message);
  };
  return { legacy, modern };
}

type Route =
  | { readonly era: "legacy" | "modern" }
  | {
    readonly era: "none";
    readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  };

function routeOf(request: JSONRPCRequest): Route {
  const outcome = classifyInboundRequest({ httpMethod: "POST", body: request });
  if (outcome.kind === "legacy") return { era: "legacy" };
  if (outcome.kind === "reject") {
    const { code, message, data } = outcome;
    return { era: "none", error: { code, message, ...(data !== undefined && { data }) } };
  }
  const { revision } = outcome.classification;
  if (revision === STATELESS_REVISION) return { era: "modern" };
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [STATELESS_REVISION],
    requested: revision ?? "",
  });
  return { era: "none", error: { code, message, data } };
}

/** Whether a notification belongs to the era without connections. A cancellation belongs where its request went. */
function isModern(message: JSONRPCNotification, modernIds: ReadonlySet<JSONRPCRequest["id"]>): boolean {
  if (message.method === CANCELLED) return modernIds.has(idOfCancelled(message));
  return classifyInboundRequest({ httpMethod: "POST", body: message }).kind === "modern";
}

function idOfCancelled({ params }: JSONRPCNotification): JSONRPCRequest["id"] {
  return params?.requestId as JSONRPCRequest["id"];
}

/** One side of a split connection. */
class Channel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly send: (message: JSONRPCMessage) => Promise<void>;

  constructor(start: Channel["start"], close: Channel["close"], send: Channel["send"]) {
    this.start = start;
    this.close = close;
    this.send = send;
  }
}
