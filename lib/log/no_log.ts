import type { Log } from "./types.ts";

/** A log that keeps nothing. */
export const NO_LOG: Log = Object.freeze({
  level: "error",
  debug: () => {},
  info: () => {},
  warning: () => {},
  error: () => {},
  close: () => Promise.resolve(),
});
