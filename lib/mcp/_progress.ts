import type { Notification } from "@modelcontextprotocol/server";

/** The progress of a call. */
export interface CallProgress {
  /** Never less than before. Its unit is that of `total`, which is absent where it is unknown. */
  readonly done: number;
  readonly total?: number;
  /** A sentence for the user. */
  readonly message?: string;
}

/** Tells a client how far a call is. */
export type ReportProgress = (progress: CallProgress) => void;

/** The parts of a request that its progress needs. */
export interface ProgressRequest {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly signal: AbortSignal;
  readonly notify: (notification: Notification) => Promise<void>;
}

/** Shortest time between two notifications, in milliseconds. */
const PERIOD_MS = 200;
/** After this time, in milliseconds, a report that says the same number is sent nevertheless: the work goes on. */
const ALIVE_MS = 2000;
/** The protocol wants a larger number each time. */
const STEP = 0.001;

/** A number with three decimals. */
function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}

/**
 * Returns a function that sends `notifications/progress` for a request if the client asked for them: at most every 200 ms,
 * and with numbers that grow.
 */
export function progressOf({ _meta, signal, notify }: ProgressRequest): ReportProgress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let sentAt = -Infinity;
  let last = -Infinity;
  return ({ done: exact, total, message }) => {
    const done = rounded(exact);
    const now = performance.now();
    const hasGrown = done > last;
    if (signal.aborted || now - sentAt < (hasGrown ? PERIOD_MS : ALIVE_MS)) return;
    sentAt = now;
    last = hasGrown ? done : rounded(last + STEP);
    const params = { progressToken, progress: last, ...(total !== undefined && { total }) };
    // The client may have left. The end of the connection stops the call.
    notify({
      method: "notifications/progress",
      params: { ...params, ...(message !== undefined && { message }) },
    }).catch(() => {});
  };
}
