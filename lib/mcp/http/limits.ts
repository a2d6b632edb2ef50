/** Limits of the HTTP server, against clients that are broken or hostile. */
export interface HttpLimits {
  /** Connections at the same time, half of them for clients that may use the server. Unused ones make room for new ones. */
  readonly connections: number;
  /** Connections of one address that have sent no request that the server accepts, such as one with the token. */
  readonly connectionsOfAddress: number;
  /** Milliseconds for the headers of a request to arrive. */
  readonly headersMs: number;
  /** Milliseconds for a whole request to arrive. */
  readonly requestMs: number;
  /** Milliseconds that a connection may be idle between two requests. */
  readonly idleMs: number;
  /** Milliseconds that a client may take to read the next 64 KiB of an answer. */
  readonly readMs: number;
  /** Bytes of the body of a request. */
  readonly bodyBytes: number;
  /** Bytes of answers that clients have not read yet. Above it, the connection that waits longest is closed. */
  readonly unreadBytes: number;
  /**
   * Requests per second of one connection, or of one address that is not this machine, in the long run and at once. Those of an
   * address with the token are counted apart from those without.
   */
  readonly rate: { readonly local: Rate; readonly remote: Rate };
  /** Sessions of the protocol with sessions. Above it, the one that was idle longest ends. */
  readonly sessions: number;
  /** Milliseconds after which an unused session ends. */
  readonly sessionMs: number;
  /** Streams of notifications without an end. */
  readonly streams: number;
  /** Requests that wait for capacity. Above it, requests are refused. */
  readonly waiting: number;
  /** Milliseconds between two signs of life in a stream. */
  readonly keepAliveMs: number;
}

/** So many requests per second, and so many at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The limits in effect. */
export const HTTP_LIMITS: HttpLimits = {
  connections: 256,
  connectionsOfAddress: 64,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  readMs: 30_000,
  bodyBytes: 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  // Programs of this machine cannot be told apart by their address, and a proxy passes on the requests of many.
  rate: { local: { perSecond: 1000, burst: 2000 }, remote: { perSecond: 100, burst: 400 } },
  sessions: 200,
  sessionMs: 60 * 60 * 1000,
  streams: 64,
  waiting: 512,
  keepAliveMs: 15_000,
};
