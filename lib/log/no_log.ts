import type { Log } from "./types.ts";

/** A log that drops every record. */
export const NO_LOG: Log = Object.freeze({
  level: "error",
  debug: () => {},
  info: () => {},
  warning: () => {},
  error: () => {},
  close: () => Promise.resolve(),
});
