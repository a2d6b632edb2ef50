/** Console methods that write to stdout. */
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
 * Redirects the console's output from stdout to stderr until the result is disposed. Output of a library on stdout would
 * break the protocol.
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
