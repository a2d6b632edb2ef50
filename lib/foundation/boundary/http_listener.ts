/**
 * Listening for HTTP: which connections are let in and which make room, and the sockets below them, encrypted or not, in each
 * version of the runtime.
 */
import {
  type ClosedBecause,
  type ConnectionTimes,
  HttpConnection,
  type HttpReply,
  type HttpRequest,
  type Wire,
} from "./http_connection.ts";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { IS_OLD_RUNTIME, OS } from "#foundation/runtime.ts";

export { type HttpReply, type HttpRequest, TOO_LARGE } from "./http_connection.ts";

/** Where to listen, and how long and how many connections may be. Times are in milliseconds. */
interface HttpListenerOptions extends ConnectionTimes {
  /** An IP address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Certificate and key in PEM; null for connections without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /**
   * Connections at the same time. Half of them are kept for clients that have shown that they may use the server. Above it, a
   * connection that is not used makes room for a new one.
   */
  readonly connections: number;
  /** Connections of one address that have not shown that they may use the server. */
  readonly connectionsOfAddress: number;
  /** Whether clients must show by a token that they may use the server. Otherwise all of them may, and none makes room in its first second. */
  readonly isGuarded: boolean;
  /** Headers of the answers to requests that cannot be read. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Callbacks of an {@linkcode HttpListener}. */
interface HttpListenerEvents {
  /** Resolves when the request is answered. Never rejects. */
  readonly onRequest: (request: HttpRequest, reply: HttpReply) => Promise<void>;
  /** A connection is closed by the server: because of its client, or to make room for another one. */
  readonly onClosed: (reason: ClosedBecause | "room") => void;
}

/** A server that listens. */
export interface HttpListener {
  readonly port: number;
  /** Connections that are open. */
  readonly connections: number;
  /** Stops to listen and closes all connections. */
  close(): void;
}

/** Whether an IP address is one of this machine that other machines cannot reach. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address);
}

/** Addresses that stand for every address of the machine. */
const WILDCARDS: readonly string[] = ["0.0.0.0", "::"];

/**
 * The IP addresses by which clients reach a server that listens on `host`: that one; or, where it stands for all addresses of the
 * machine, those that other machines can open, IPv4 first, or that of this machine where there is no network. Left out are addresses
 * that are valid on one link only: those of IPv6 need the name of an interface of the client.
 */
export function addressesOf(
  host: string,
  interfaces: () => readonly Deno.NetworkInterfaceInfo[] = Deno.networkInterfaces,
): string[] {
  if (!WILDCARDS.includes(host)) return [host];
  const of = (wanted: "IPv4" | "IPv6") =>
    interfaces().filter(({ family, address }) =>
      family === wanted && !isLoopbackAddress(address) && !/^(?:169\.254\.|fe[89ab])/i.test(address)
    ).map(({ address }) => address);
  // On Windows a server on `::` is not reached over IPv4.
  const takesV4 = host === "0.0.0.0" || OS !== "windows";
  const found = [...takesV4 ? of("IPv4") : [], ...host === "::" ? of("IPv6") : []];
  if (found.length > 0) return [...new Set(found)];
  return [takesV4 ? "127.0.0.1" : "::1"];
}

/**
 * The part of an IP address that stands for one client: an IPv4 address, or the first 64 bits of an IPv6 address, of which one
 * machine may use all.
 */
export function clientAddress(address: string): string {
  const [, inside] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (inside !== undefined || !address.includes(":")) return inside ?? address;
  const [before = "", after] = address.split("::");
  const groups = before === "" ? [] : before.split(":");
  const rest = after === undefined || after === "" ? 0 : after.split(":").length;
  while (after !== undefined && groups.length + rest < 8) groups.push("0");
  if (after !== undefined) groups.push(...after.split(":"));
  return groups.slice(0, 4).join(":");
}

/** Milliseconds in which a client that may use the server sends its first request. */
const FIRST_MS = 1000;

/** Milliseconds between two checks for connections that take too long. */
const CHECK_MS = 1000;

/** Listens for HTTP requests. Rejects with the error of the system where the address cannot be used. */
export async function listenHttp(
  options: HttpListenerOptions,
  events: HttpListenerEvents,
): Promise<HttpListener> {
  const connections = new Connections(options, events);
  const listener = await listenWires(options, {
    onWire: (wire) => connections.add(wire),
    onFull: () => void connections.makeRoom(),
  });
  const timer = setInterval(() => {
    connections.check();
    listener.again();
  }, Math.min(CHECK_MS, options.headersMs));
  return {
    port: listener.port,
    get connections() {
      return connections.size;
    },
    close() {
      clearInterval(timer);
      listener.close();
      connections.close();
    },
  };
}

/** The open connections, and which of them makes room for a new one. */
class Connections {
  readonly #options: HttpListenerOptions;
  readonly #events: HttpListenerEvents;
  /** With the address of the client. The one that was used longest ago is the first. */
  readonly #open = new Map<HttpConnection, string>();

  constructor(options: HttpListenerOptions, events: HttpListenerEvents) {
    this.#options = options;
    this.#events = events;
  }

  get size(): number {
    return this.#open.size;
  }

  add(accepted: Wire): void {
    const address = clientAddress(accepted.remoteAddress);
    if (!this.#hasRoom(address)) {
      accepted.close();
      return this.#events.onClosed("room");
    }
    const connection: HttpConnection = new HttpConnection(accepted, this.#options, {
      onRequest: this.#events.onRequest,
      onFailure: this.#events.onClosed,
      onChange: () => this.#touch(connection),
    }, this.#options.headers);
    this.#open.set(connection, address);
    void connection.serve().then(() => this.#open.delete(connection));
  }

  /** Closes the connections that have taken too long. */
  check(): void {
    const now = performance.now();
    for (const connection of this.#open.keys()) connection.check(now);
  }

  /** Closes one connection that is not used. Returns whether there was one. */
  makeRoom(): boolean {
    return this.#end(this.#stranger()) || this.#end(this.#admitted("waiting")) ||
      this.#end(this.#admitted("receiving"));
  }

  close(): void {
    for (const connection of this.#open.keys()) connection.close();
  }

  /** Whether a new connection of the address is let in, after another one was closed where that was needed. */
  #hasRoom(address: string): boolean {
    const { connections, connectionsOfAddress, isGuarded } = this.#options;
    const strangers = this.#strangers();
    if (!isGuarded) {
      const isBurst = strangers.length > 0 && performance.now() - strangers[0]![0].begunAt < FIRST_MS;
      return this.size < connections || !isBurst && this.makeRoom();
    }
    const own = strangers.filter(([, other]) => other === address);
    if (own.length >= connectionsOfAddress) return this.#end(own[0]![0]);
    if (strangers.length >= connections / 2) return this.#end(this.#stranger());
    return this.size < connections || this.makeRoom();
  }

  /** Connections that have not shown that they may use the server. The oldest one is the first. */
  #strangers(): [HttpConnection, string][] {
    return [...this.#open].filter(([{ isAdmitted }]) => !isAdmitted);
  }

  /** The oldest stranger of the address that has most of them. */
  #stranger(): HttpConnection | undefined {
    const counts = new Map<string, number>();
    const strangers = this.#strangers();
    for (const [, address] of strangers) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return strangers.find(([, address]) => counts.get(address) === most)?.[0];
  }

  #admitted(state: HttpConnection["state"]): HttpConnection | undefined {
    for (const connection of this.#open.keys()) {
      if (connection.isAdmitted && connection.state === state) return connection;
    }
    return undefined;
  }

  #end(connection: HttpConnection | undefined): boolean {
    if (connection === undefined) return false;
    connection.close();
    this.#open.delete(connection);
    this.#events.onClosed("room");
    return true;
  }

  #touch(connection: HttpConnection): void {
    const address = this.#open.get(connection);
    // A stranger's place is that of its beginning: sending requests that are refused keeps it no longer.
    if (address === undefined || !connection.isAdmitted) return;
    this.#open.delete(connection);
    this.#open.set(connection, address);
  }
}

/** Where wires come from. */
interface WireListener {
  readonly port: number;
  /** Goes on where the runtime has stopped to accept connections. */
  again(): void;
  close(): void;
}

/** Callbacks of {@linkcode listenWires}. */
interface WireEvents {
  readonly onWire: (wire: Wire) => void;
  /** The system gives no further connection (EMFILE). */
  readonly onFull: () => void;
}

/** Bytes that are read at once. */
const READ_BYTES = 16 * 1024;

/** Milliseconds until the next try, where the system gives no further connection. */
const TRY_AGAIN_MS = 50;

/** Certificate and key in PEM. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

/**
 * Accepts connections at an address. Rejects with the error of the system where it cannot be used.
 *
 * The sockets are those of `node:net`: closing a `Deno.TlsConn` never ends a handshake, still in Deno 2.9, and in Deno 2.8 closing a
 * `Deno.TcpConn` ends neither a read nor the connection (denoland/deno#35292). Before, it is the other way round: the sockets of
 * `node:net` lose answers and cannot be encrypted. There a handshake lasts until its client goes.
 */
async function listenWires(
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls: Identity | null },
  events: WireEvents,
): Promise<WireListener> {
  return IS_OLD_RUNTIME
    ? listenConnections(host, port, tls, events)
    : await listenSockets(host, port, tls, events);
}

async function listenSockets(
  host: string,
  port: number,
  tls: Identity | null,
  { onWire, onFull }: WireEvents,
): Promise<WireListener> {
  const { createServer } = await import("node:net");
  const encrypt = tls === null ? undefined : await encryption(tls);
  const server: Server & { _handle?: { listen?(backlog: number): number } } = createServer(
    { noDelay: true, allowHalfOpen: true },
    (socket) => onWire(new SocketWire(socket, encrypt?.(socket))),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", onFull);
  return {
    port: (server.address() as { port: number }).port,
    // Deno 2.8 and 2.9 accept nothing more after the system had no handle left (EMFILE), and report no error. This wakes them, and
    // has no effect while they accept.
    again: () => void server._handle?.listen?.(511),
    close: () => void server.close(),
  };
}

function listenConnections(
  hostname: string,
  port: number,
  tls: Identity | null,
  { onWire, onFull }: WireEvents,
): WireListener {
  const listener = tls === null
    ? Deno.listen({ hostname, port })
    : Deno.listenTls({ hostname, port, ...tls, alpnProtocols: ["http/1.1"] });
  let isClosed = false;
  const accept = async () => {
    while (!isClosed) {
      try {
        onWire(new ConnectionWire(await listener.accept()));
      } catch {
        if (isClosed) return;
        // No handle is left, or the client has gone. A handle becomes free when a connection ends.
        onFull();
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      }
    }
  };
  void accept();
  return {
    port: listener.addr.port,
    again() {},
    close() {
      isClosed = true;
      listener.close();
    },
  };
}

async function encryption(identity: Identity): Promise<(socket: Socket) => TLSSocket> {
  const { createSecureContext, TLSSocket } = await import("node:tls");
  const secureContext = createSecureContext({ ...identity });
  return (socket) => new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
}

class SocketWire implements Wire {
  readonly remoteAddress: string;
  readonly #raw: Socket;
  readonly #socket: Socket;
  readonly #secured: Promise<void> | undefined;
  #hasEnded = false;
  #wake = () => {};

  /** `encrypted`: the socket whose bytes go over `raw`; `undefined` without encryption. */
  constructor(raw: Socket, encrypted: TLSSocket | undefined) {
    this.#raw = raw;
    this.#socket = encrypted ?? raw;
    // A connection that has ended already has no address.
    this.remoteAddress = raw.remoteAddress ?? "";
    const end = () => {
      this.#hasEnded = true;
      this.#wake();
    };
    this.#socket.on("readable", () => this.#wake()).on("end", end).on("close", end).on("error", end);
    if (encrypted === undefined) return;
    this.#secured = new Promise((resolve, reject) => {
      const fail = () => reject(new Error("The connection has ended before it was encrypted"));
      encrypted.once("secure", resolve).once("close", fail).once("error", fail);
      raw.once("close", fail).once("error", fail);
    });
    // Nobody may wait for it any more.
    this.#secured.catch(() => {});
  }

  async begin(): Promise<void> {
    await this.#secured;
  }

  async read(): Promise<Uint8Array | null> {
    for (;;) {
      const bytes: Uint8Array | null = this.#socket.read();
      if (bytes !== null || this.#hasEnded) return bytes;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const onClose = () => reject(new Error("The connection has ended"));
      if (this.#socket.destroyed) return onClose();
      this.#socket.once("close", onClose);
      this.#socket.write(bytes, (error) => {
        this.#socket.off("close", onClose);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  closeWrite(): Promise<void> {
    this.#socket.end();
    return Promise.resolve();
  }

  close(): void {
    this.#socket.destroy();
    this.#raw.destroy();
  }
}

class ConnectionWire implements Wire {
  readonly remoteAddress: string;
  readonly #connection: Deno.TlsConn | Deno.TcpConn;
  readonly #space = new Uint8Array(READ_BYTES);

  constructor(connection: Deno.TlsConn | Deno.TcpConn) {
    this.#connection = connection;
    this.remoteAddress = connection.remoteAddr.hostname;
  }

  async begin(): Promise<void> {
    if ("handshake" in this.#connection) await this.#connection.handshake();
    else this.#connection.setNoDelay();
  }

  async read(): Promise<Uint8Array | null> {
    const count = await this.#connection.read(this.#space);
    return count === null ? null : this.#space.slice(0, count);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  async closeWrite(): Promise<void> {
    await this.#connection.closeWrite();
  }

  close(): void {
    try {
      this.#connection.close();
    } catch {
      // It is closed.
    }
  }
}
