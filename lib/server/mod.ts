/** The program as an MCP server, on stdin and stdout or over HTTP. */
import type { ServeHttpOptions } from "./http/serve_http.ts";

export { serveMcp, type ServeOptions } from "./stdio.ts";
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

/** Serves HTTP clients. A server on stdin and stdout does not load the code for it. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  return await (await import("./http/serve_http.ts")).serveHttp(options);
}
