/** The methods by which Deno's console writes to stdout. */
const STDOUT_METHODS = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "count",
  "countReset",
  "time",
  "timeLog",
  "timeEnd",
] as const;

/**
 * Sends what any library prints to stderr while the result lives: on stdout it would break the protocol.
 *
 * ```ts
 * using _console = consoleToStderr();
 * ```
 */
export function consoleToStderr(): Disposable {
  const target: Record<string, unknown> = globalThis.console as unknown as Record<string, unknown>;
  const toStderr = target.error;
  const kept = STDOUT_METHODS.map((name) => [name, target[name]] as const);
  for (const name of STDOUT_METHODS) target[name] = toStderr;
  return {
    [Symbol.dispose]() {
      for (const [name, method] of kept) target[name] = method;
    },
  };
}
