import { McpServer, type ServerEventBus } from "@modelcontextprotocol/server";
import { message } from "../messages.ts";
import { ICON } from "./_icon.ts";
import { instructionsText } from "./_instructions.ts";
import { type DeclaredTool, declareTool, registerTool } from "./_register_tool.ts";
import { registerCompletion } from "./_completion.ts";
import { registerLogging, registerSubscriptions } from "./_connected_client.ts";
import { type ConnectionGuard, guardConnection } from "./_guard_connection.ts";
import { registerPrompts } from "./prompts/register_prompts.ts";
import { registerResources } from "./resources/register_resources.ts";
import type { ToolContext } from "./tool.ts";
import { Turns } from "./_turns.ts";
import { toolsFor } from "./tools/mod.ts";

/**
 * Milliseconds for which a client may keep the lists of tools and prompts, and the description of the server. They do not
 * change while the server runs; a client that keeps its connection to another release asks again after that time.
 */
const LIST_TTL_MS = 300_000;

/** Parts that all server instances of a process share. */
export interface ServerParts extends ToolContext {
  /** The program's version, sent to the client. */
  readonly version: string;
  /** Publishes what changes while the server runs, for clients that asked to be told. */
  readonly changes?: ServerEventBus;
  /** Adds to a new instance, in place of the program's resources and prompts. The fixtures of the official test suite use it; the program does not. */
  readonly extend?: (server: McpServer) => void;
}

/** The tools of all server instances of a process. */
export function declareTools(parts: ServerParts): readonly DeclaredTool[] {
  const turns = new Turns();
  return toolsFor(parts.config.tools).map((tool) => declareTool(tool, parts, turns));
}

/** A server instance for one connection, or for one request of a protocol without connections. */
export function createServer(
  parts: ServerParts,
  tools: readonly DeclaredTool[],
  guard: ConnectionGuard = {},
): McpServer {
  const { language, library, version, extend } = parts;
  const isWatched = parts.changes !== undefined;
  const unchanging = { ttlMs: LIST_TTL_MS, cacheScope: "private" as const };
  const current = { ttlMs: 0, cacheScope: "private" as const };
  const server = new McpServer(
    { name: "muxue_rag", title: message(language, "mcp_title"), version, icons: [ICON] },
    {
      capabilities: {
        tools: { listChanged: false },
        ...(extend === undefined && {
          completions: {},
          prompts: { listChanged: false },
          resources: { listChanged: isWatched, subscribe: isWatched },
          ...(parts.notes !== undefined && { logging: {} }),
        }),
      },
      instructions: instructionsText(library.collections, parts.config.tools, language),
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
  for (const tool of tools) registerTool(server, parts, tool);
  if (extend === undefined) {
    registerResources(server, parts);
    registerPrompts(server, parts);
    registerCompletion(server, parts);
    if (isWatched) registerSubscriptions(server, parts);
    if (parts.notes !== undefined) registerLogging(server);
  } else extend(server);
  guardConnection(server, language, guard);
  return server;
}
