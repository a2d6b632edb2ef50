import type { RemoteServer, ServerFailure, ServerFailureKind } from "./server.ts";

/** Patterns of the runtime's error messages. Its network errors have no codes. */
const KINDS: readonly (readonly [ServerFailureKind, RegExp])[] = [
  ["unknown_host", /dns error|failed to lookup|no such host|name or service not known/i],
  ["certificate", /certificate|UnknownIssuer|self.signed|NotValidForName|CaUsedAsEndEntity/i],
  [
    "not_tls",
    /tls handshake eof|InvalidContentType|corrupt message|wrong version number|received fatal alert|handshake/i,
  ],
  ["refused", /connection refused|actively refused|os error (?:61|111|10061)\b/i],
  [
    "cut_off",
    /connection closed|connection reset|broken pipe|body from connection|unexpected eof|incomplete|connection error|invalid HTTP version|os error (?:32|54|104|10053|10054)\b/i,
  ],
];

/** Returns why a request got no answer, by the runtime's words; `unreachable` if they say nothing. */
export function networkKind(words: string): ServerFailureKind {
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "unreachable";
}

/**
 * Returns the failure for a request that got no answer. With `answered`, the server has answered before in this run, so that
 * it may come back and a retry is worthwhile; otherwise the failure is final.
 */
export function networkFailure(server: RemoteServer, error: unknown, answered: boolean): ServerFailure {
  const words = error instanceof Error ? error.message : String(error);
  const kind = networkKind(words);
  const retryable = kind === "cut_off" || (answered && kind !== "certificate" && kind !== "not_tls");
  return server.fail(kind, { url: server.address, words: withoutAddress(words) }, { retryable });
}

/** Removes the address of the request from an error message: it could contain secrets. */
function withoutAddress(words: string): string {
  return words.replace(/^error sending request .*?: (?=client error|error )/, "")
    .replace(/^client error \(\w+\): /, "")
    .replace(/\S+:\/\/\S+/g, "…");
}
