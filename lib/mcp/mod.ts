/** The program as an MCP server on stdio and over HTTP. */
export { serveMcp, type ServeOptions } from "./server.ts";
export { type HttpAddress, serveHttp, type ServeHttpOptions } from "./http_server.ts";
export type { ReembeddedDocument, Upkeep, UpkeepRequest } from "./upkeep.ts";
