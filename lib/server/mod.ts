/** The program as an MCP server, on stdin and stdout or over HTTP. */
import { type ServeOptions, startConnection } from "./first_answer.ts";
import type { ServeHttpOptions } from "./http/serve_http.ts";

export type { ServeOptions } from "./first_answer.ts";
export type {
  HttpAddress,
  HttpDoor,
  HttpPages,
  LimitedParts,
  LimitedToken,
  ServeHttpOptions,
} from "./http/serve_http.ts";
export type { Answering, ReembeddedDocument, Upkeep, UpkeepRequest, WorkUnderWay } from "./tool.ts";
export { Notes, type ServerNote } from "./connected_client.ts";
export { DocumentChanges, type DocumentChangesOptions, type DocumentCounts } from "./document_changes.ts";

/**
 * Serves the tools over the library until the client closes the input, stops reading the output, or the signal aborts.
 * Searches in progress are then aborted. The library stays open. The caller must end the process, because a pending read of
 * stdin can keep it alive.
 *
 * Supports the protocol revisions 2024-10-07 to 2025-11-25 by `initialize`, and 2026-07-28, each request by its own `_meta`.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const start = await startConnection(options);
  await prepareSchemas();
  const { serveConnection } = await import("./stdio.ts");
  await serveConnection(options, start);
}

/** Serves HTTP clients. A server on stdin and stdout does not load the code for it. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  await prepareSchemas();
  return await (await import("./http/serve_http.ts")).serveHttp(options);
}

async function prepareSchemas(): Promise<void> {
  (await import("./interpreted_schemas.ts")).interpretSchemas();
}
