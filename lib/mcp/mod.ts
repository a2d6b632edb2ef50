/** The program as an MCP server on stdio. */
export { serveMcp, type ServeOptions } from "./server.ts";
