import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request over HTTP. */
export type HttpRequest = IncomingMessage;

/** The response to a request over HTTP. */
export type HttpReply = ServerResponse;

/** A connection over HTTP. */
export type HttpSocket = Socket;

/** Where to listen, and how long connections may take. Times are in milliseconds. */
export interface HttpListenerOptions {
  /** An IP address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Certificate and key in PEM; null for connections without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Connections at the same time. Further ones are closed at once. */
  readonly connections: number;
  /** Time for a handshake of TLS, and then for the headers of a request to arrive. */
  readonly headersMs: number;
  /** Time for a whole request to arrive. */
  readonly requestMs: number;
  /** Time that a connection may be idle between two requests. */
  readonly idleMs: number;
}

/** Callbacks of an {@linkcode HttpListener}. */
export interface HttpListenerEvents {
  readonly onConnection: (socket: HttpSocket) => void;
  readonly onRequest: (request: HttpRequest, reply: HttpReply) => void;
  /** A connection was closed because its client sent no valid request, or none in time. */
  readonly onClientError: (reason: "timeout" | "malformed") => void;
}

/** A server that listens. */
export interface HttpListener {
  readonly port: number;
  /** Stops to listen and closes all connections. */
  close(): void;
}

/** Whether an IP address is one of this machine that other machines cannot reach. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address);
}

/** Bytes of the headers of a request. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Milliseconds between two checks for connections that take too long. */
const CHECK_MS = 1000;

/**
 * Listens for HTTP requests. Throws the error of the system where the address cannot be used.
 *
 * It is Node's server and not `Deno.serve`, which sets no limit of time or number to connections that send nothing, send a request
 * in part, or do not read their answer.
 */
export async function listenHttp(
  { host, port, tls, connections, headersMs, requestMs, idleMs }: HttpListenerOptions,
  events: HttpListenerEvents,
): Promise<HttpListener> {
  const settings = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server: Server = tls === null
    ? (await import("node:http")).createServer(settings)
    : (await import("node:https")).createServer({ ...settings, ...tls, handshakeTimeout: headersMs });
  server.maxConnections = connections;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    events.onConnection(socket);
  });
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    // The runtime gives the error of a handshake no code.
    events.onClientError(/timeout/i.test(error.code ?? error.message) ? "timeout" : "malformed");
    socket.destroy();
  });
  server.on("request", events.onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
