/** The program as an MCP server over HTTP. */
export { type HttpAddress, serveHttp, type ServeHttpOptions } from "./serve_http.ts";
