import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { IS_OLD_RUNTIME } from "#foundation/runtime.ts";

/** The bytes of a connection, encrypted or not. */
export interface Wire {
  readonly remoteAddress: string;
  /** The handshake of TLS. */
  begin(): Promise<void>;
  /** The next bytes; null when there are no more. */
  read(): Promise<Uint8Array | null>;
  /** Resolves when the system has taken the bytes. Rejects where the connection has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that nothing more is written. */
  closeWrite(): Promise<void>;
  /** Ends the connection and what waits for it. */
  close(): void;
}

/** Where wires come from. */
export interface WireListener {
  readonly port: number;
  /** Goes on where the runtime has stopped to accept connections. */
  again(): void;
  close(): void;
}

/** Callbacks of {@linkcode listenWires}. */
export interface WireEvents {
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
 * The sockets are those of `node:net`: in Deno 2.8, closing a `Deno.TcpConn` ends neither a read nor the connection
 * (denoland/deno#35292), and closing a `Deno.TlsConn` never ends a handshake. Before, it is the other way round: the sockets of
 * `node:net` lose answers and cannot be encrypted. There a handshake lasts until its client goes.
 */
export async function listenWires(
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
    // Deno 2.8 accepts nothing more after the system had no handle left (EMFILE), and reports no error. This wakes it, and has no
    // effect while it accepts.
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
