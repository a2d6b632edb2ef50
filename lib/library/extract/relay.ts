/**
 * Connections to processes that another thread holds: those that read documents, and the evaluator that the command line names. The
 * locked worker may not start programs, so the launcher starts them for it and passes bytes in both directions without reading them.
 */
import type { Connection, ConnectionEvents, OpenConnection } from "#foundation/boundary/mod.ts";

/** Messages from the worker to the launcher. Connections are numbered. */
export type RelayRequest =
  | { readonly open: number; readonly evaluator?: true }
  | { readonly to: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly close: number }
  | { readonly end: number };

/** Messages from the launcher to the worker. */
export type RelayEvent =
  | { readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ended: number; readonly reason: string; readonly code?: number | undefined };

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

  /** Asks the launcher to start a process that reads documents. */
  readonly open: OpenConnection = (events) => this.#open(events, (open) => ({ open }));

  /** Asks the launcher to start the evaluator. It does so only if the command line names one. */
  readonly openEvaluator: OpenConnection = (events) =>
    this.#open(events, (open) => ({ open, evaluator: true }));

  #open(events: ConnectionEvents, request: (number: number) => RelayRequest): Connection {
    const number = this.#next++;
    this.#events.set(number, events);
    this.#post(request(number));
    return {
      send: (bytes) => this.#post({ to: number, bytes }),
      close: () => this.#post({ close: number }),
      end: () => this.#post({ end: number }),
    };
  }

  /** Handles a message from the launcher. */
  receive(event: RelayEvent): void {
    if ("from" in event) return this.#events.get(event.from)?.onData(event.bytes);
    const events = this.#events.get(event.ended);
    this.#events.delete(event.ended);
    events?.onEnd(event.reason, event.code);
  }
}

/** The launcher's side: opens connections for the worker. */
export class ConnectionRelay {
  readonly #open: OpenConnection;
  readonly #evaluator: OpenConnection | undefined;
  readonly #post: (event: RelayEvent) => void;
  readonly #connections = new Map<number, Connection>();

  /** `post`: sends an event to the worker. It may transfer the bytes. `evaluator`: absent if the worker must not start one. */
  constructor(open: OpenConnection, post: (event: RelayEvent) => void, evaluator?: OpenConnection) {
    this.#open = open;
    this.#post = post;
    this.#evaluator = evaluator;
  }

  /** Handles a message from the worker. */
  handle(request: RelayRequest): void {
    if ("to" in request) this.#connections.get(request.to)?.send(request.bytes);
    else if ("close" in request) this.#connections.get(request.close)?.close();
    else if ("end" in request) this.#connections.get(request.end)?.end();
    else this.#start(request.open, request.evaluator ? this.#evaluator : this.#open);
  }

  #start(number: number, open: OpenConnection | undefined): void {
    if (open === undefined) return this.#post({ ended: number, reason: "not allowed" });
    if (this.#connections.size >= MAX_CONNECTIONS) {
      return this.#post({ ended: number, reason: "too many processes" });
    }
    const connection = open({
      onData: (bytes) => this.#post({ from: number, bytes }),
      onEnd: (reason, code) => {
        this.#connections.delete(number);
        this.#post({ ended: number, reason, code });
      },
    });
    this.#connections.set(number, connection);
  }
}
