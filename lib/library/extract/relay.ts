/**
 * Connections to extractor processes that another thread holds. The locked worker may not start programs, so the launcher
 * starts them for it and passes bytes in both directions without reading them.
 */
import type { Connection, ConnectionEvents, OpenConnection } from "#foundation/boundary/mod.ts";

/** Messages from the worker to the launcher. Connections are numbered. */
export type RelayRequest =
  | { readonly open: number }
  | { readonly to: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly close: number };

/** Messages from the launcher to the worker. */
export type RelayEvent =
  | { readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ended: number; readonly reason: string };

/** Most processes at a time. A compromised worker could otherwise start any number. */
const MAX_CONNECTIONS = 8;

/** The worker's side: connections that the launcher opens. */
export class RelayedConnections {
  readonly #post: (request: RelayRequest) => void;
  readonly #events = new Map<number, ConnectionEvents>();
  #next = 1;

  /** `post`: sends a request to the launcher. It may transfer the bytes. */
  constructor(post: (request: RelayRequest) => void) {
    this.#post = post;
  }

  /** Asks the launcher to start a process. */
  readonly open: OpenConnection = (events) => {
    const number = this.#next++;
    this.#events.set(number, events);
    this.#post({ open: number });
    return {
      send: (bytes) => this.#post({ to: number, bytes }),
      close: () => this.#post({ close: number }),
    };
  };

  /** Handles a message from the launcher. */
  receive(event: RelayEvent): void {
    if ("from" in event) return this.#events.get(event.from)?.onData(event.bytes);
    const events = this.#events.get(event.ended);
    this.#events.delete(event.ended);
    events?.onEnd(event.reason);
  }
}

/** The launcher's side: opens connections for the worker. */
export class ConnectionRelay {
  readonly #open: OpenConnection;
  readonly #post: (event: RelayEvent) => void;
  readonly #connections = new Map<number, Connection>();

  /** `post`: sends an event to the worker. It may transfer the bytes. */
  constructor(open: OpenConnection, post: (event: RelayEvent) => void) {
    this.#open = open;
    this.#post = post;
  }

  /** Handles a message from the worker. */
  handle(request: RelayRequest): void {
    if ("to" in request) this.#connections.get(request.to)?.send(request.bytes);
    else if ("close" in request) this.#connections.get(request.close)?.close();
    else this.#start(request.open);
  }

  #start(number: number): void {
    if (this.#connections.size >= MAX_CONNECTIONS) {
      return this.#post({ ended: number, reason: "too many processes" });
    }
    const connection = this.#open({
      onData: (bytes) => this.#post({ from: number, bytes }),
      onEnd: (reason) => {
        this.#connections.delete(number);
        this.#post({ ended: number, reason });
      },
    });
    this.#connections.set(number, connection);
  }
}
