/** The program as an MCP server on stdio and over HTTP. */
export { serveMcp, type ServeOptions } from "./server.ts";
export type { HttpAddress, ServeHttpOptions } from "./http/serve_http.ts";
export { serveHttp } from "./http_server.ts";
export type { ReembeddedDocument, Upkeep, UpkeepRequest } from "./tool.ts";
export { Notes, type ServerNote } from "./notes.ts";
export {
  DocumentChanges,
  type DocumentChangesOptions,
  type DocumentCounts,
} from "./resources/document_changes.ts";
