/**
 * The MCP server of one client: which requests it answers.
 * The code that answers other requests than `initialize` is loaded with the first of them.
 */
import { McpServer } from "@modelcontextprotocol/server";
import type { ToolDesk } from "./call_tool.ts";
import { clientOf } from "./connected_client.ts";
import { type ConnectionGuard, guardConnection, keepCapacity } from "./guard_connection.ts";
import { identityOf, type ServerParts } from "./identity.ts";

/** Milliseconds for which a client may keep the lists of tools and prompts: they change with a release only. */
const LIST_TTL_MS = 300_000;

/** The tools of all server instances of a process, loaded with the first request for them. */
export type OfferedTools = () => Promise<ToolDesk>;

/** Returns the tools that all server instances of a process share. */
export function offerTools(parts: ServerParts): OfferedTools {
  let desk: Promise<ToolDesk> | undefined;
  return () => desk ??= import("./call_tool.ts").then(({ ToolDesk }) => new ToolDesk(parts));
}

/** A server instance for one connection, or for one request of a protocol without connections. */
export function createServer(
  parts: ServerParts,
  tools: OfferedTools,
  guard: ConnectionGuard = {},
): McpServer {
  const { extend } = parts;
  const { serverInfo, capabilities, instructions } = identityOf(parts);
  const unchanging = { ttlMs: LIST_TTL_MS, cacheScope: "private" as const };
  const current = { ttlMs: 0, cacheScope: "private" as const };
  const server = new McpServer(
    serverInfo,
    {
      capabilities,
      instructions,
      cacheHints: {
        "tools/list": unchanging,
        "server/discover": unchanging,
        "prompts/list": unchanging,
        "resources/templates/list": unchanging,
        // The index may change at any time.
        "resources/list": current,
        "resources/read": current,
      },
    },
  );
  if (extend === undefined) answerRequests(server, parts, tools);
  else extend(server);
  guardConnection(server, parts.language, guard);
  return server;
}

const prompts = () => import("./prompts.ts");
const resources = () => import("./resources.ts");

/** Answers the requests of the client. The SDK answers `initialize`, `ping` and `server/discover` itself. */
function answerRequests(mcp: McpServer, parts: ServerParts, tools: OfferedTools): void {
  const { server } = mcp;
  server.setRequestHandler("tools/list", async () => await (await tools()).list());
  server.setRequestHandler("tools/call", async ({ params }, call) => {
    using _capacity = keepCapacity(mcp, call.mcpReq);
    return await (await tools()).call(mcp, params, call);
  });
  server.setRequestHandler(
    "resources/list",
    async ({ params }) => await (await resources()).listResources(params?.cursor, parts),
  );
  server.setRequestHandler("resources/templates/list", async () => (await resources()).listTemplates(parts));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    using _capacity = keepCapacity(mcp, mcpReq);
    return await (await resources()).readResource(uri, parts, mcpReq.signal);
  });
  server.setRequestHandler("prompts/list", async () => (await prompts()).listPrompts(parts));
  server.setRequestHandler("prompts/get", async ({ params }) => (await prompts()).getPrompt(params, parts));
  server.setRequestHandler(
    "completion/complete",
    async ({ params }) => await (await prompts()).complete(params, parts),
  );
  const client = clientOf(mcp);
  for (const change of parts.changes === undefined ? [] : ["subscribe", "unsubscribe"] as const) {
    server.setRequestHandler(
      `resources/${change}`,
      async ({ params: { uri } }) => await (await resources()).changeSubscription(change, uri, client, parts),
    );
  }
  if (parts.notes === undefined) return;
  server.setRequestHandler("logging/setLevel", ({ params: { level } }) => {
    client.level = level;
    return {};
  });
}
