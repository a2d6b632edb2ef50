import { serveStdio } from "@modelcontextprotocol/server/stdio";
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
import { relayChanges, relayNotes } from "./connected_client.ts";
import { consoleToStderr, StdioTransport } from "./stdio.ts";
import { createServer, declareTools, type ServerParts } from "./create_server.ts";
import { CAPACITY, requestCost } from "./http/endpoint.ts";

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The official clients close the connection when 10 MiB lie in their buffer. They read at most 64 KiB at once. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024 - 128 * 1024;

/**
 * Milliseconds that requests in progress may still take after the client closed the input. The official clients kill a
 * server 2 s after they closed its input, and running updates of indexes need 300 ms of them to stop.
 */
const GRACE_MS = 1200;

/** Subscriptions of one client. The list of tools never changes, so a client gains nothing by more. */
const MAX_SUBSCRIPTIONS = 16;

/** Options of {@linkcode serveMcp}. */
export interface ServeOptions extends ServerParts {
  /** The client's messages. Default: stdin. */
  readonly input?: ReadableStream<Uint8Array>;
  /** The answers to the client. Nothing else may write to it while the server runs. Default: stdout. */
  readonly output?: WritableStream<Uint8Array>;
  /** Stops the server when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the tools over the library until the client closes the input, stops reading the output, or the signal aborts.
 * Searches in progress are then aborted. The library stays open. The caller must end the process, because a pending read of
 * stdin can keep it alive.
 *
 * Supports the protocol revisions 2024-10-07 to 2025-11-25 by `initialize`, and 2026-07-28, each request by its own `_meta`.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  using _console = consoleToStderr();
  const transport = new StdioTransport(
    options.input ?? Deno.stdin.readable,
    options.output ?? Deno.stdout.writable,
    {
      maxLineBytes: MAX_LINE_BYTES,
      capacity: CAPACITY,
      maxWaitingBytes: MAX_WAITING_BYTES,
      maxAnswerBytes: maxAnswerBytes(options.config.original_mb),
      graceMs: GRACE_MS,
      cost: requestCost,
    },
  );
  const eras = splitRevisions(transport);
  const tools = declareTools(options);
  const serve = (era: keyof typeof eras) =>
    serveStdio(() => {
      const server = createServer(options, tools);
      if (options.changes !== undefined) relayChanges(server, options.changes, era);
      if (options.notes !== undefined && era === "legacy") relayNotes(server, options.notes);
      return server;
    }, {
      transport: eras[era],
      legacy: era === "legacy" ? "serve" : "reject",
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => options.log.debug("mcp_error", { error: error.message }),
    });
  const connections = [serve("legacy"), serve("modern")];
  const stop = () => connections.forEach((connection) => void connection.close());
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted) stop();
  await transport.ended;
  options.signal?.removeEventListener("abort", stop);
}

/** A user who allows larger files to `get_document_original` has a client that takes longer lines. Base64 adds a third. */
function maxAnswerBytes(originalMb: number): number {
  return Math.max(MAX_ANSWER_BYTES, Math.ceil(originalMb * 1_000_000 / 3) * 4 + 64 * 1024);
}

const CANCELLED = "notifications/cancelled";

/** The revision without connections that the program speaks. */
const STATELESS_REVISION = "2026-07-28";

/** One connection as two: requests of the revisions with `initialize`, and those that name their revision in `_meta`. */
interface Revisions {
  readonly legacy: Transport;
  readonly modern: Transport;
}

/**
 * Splits a connection by the protocol era of each message. The SDK decides once for a whole connection, so that the first
 * message of an old client would keep all later ones from the new protocol, and it checks the revision of the first request
 * only.
 */
function splitRevisions(wire: Transport): Revisions {
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
