/**
 * Connections to extractor processes that another thread holds: the locked worker may start no programs, so the launcher
 * starts them for it and passes bytes both ways without looking at them.
 * @module
 */
import type { Connection, ConnectionEvents, OpenConnection } from "../sandbox/mod.ts";

/** The worker's messages to the launcher. Connections have numbers. */
export type RelayRequest =
  | { readonly open: number }
  | { readonly to: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly close: number };

/** The launcher's messages to the worker. */
export type RelayEvent =
  | { readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ended: number; readonly reason: string };

/** Processes at once: a worker that is not what it should be could else start any number. */
const MAX_CONNECTIONS = 8;

/** The worker's side. */
export class RelayedConnections {
  readonly #post: (request: RelayRequest) => void;
  readonly #events = new Map<number, ConnectionEvents>();
  #next = 1;

  /** `post`: sends a request to the launcher and may transfer its bytes. */
  constructor(post: (request: RelayRequest) => void) {
    this.#post = post;
  }

  /** Starts a process by the launcher. */
  readonly open: OpenConnection = (events) => {
    const number = this.#next++;
    this.#events.set(number, events);
    this.#post({ open: number });
    return {
      send: (bytes) => this.#post({ to: number, bytes }),
      close: () => this.#post({ close: number }),
    };
  };

  /** Takes what the launcher told. */
  receive(event: RelayEvent): void {
    if ("from" in event) return this.#events.get(event.from)?.onData(event.bytes);
    const events = this.#events.get(event.ended);
    this.#events.delete(event.ended);
    events?.onEnd(event.reason);
  }
}

/** The launcher's side. */
export class ConnectionRelay {
  readonly #open: OpenConnection;
  readonly #post: (event: RelayEvent) => void;
  readonly #connections = new Map<number, Connection>();

  /** `post`: tells the worker an event and may transfer its bytes. */
  constructor(open: OpenConnection, post: (event: RelayEvent) => void) {
    this.#open = open;
    this.#post = post;
  }

  /** Does what the worker asks. */
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
