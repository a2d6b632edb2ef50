/**
 * The MCP server of one client: what it offers and says about itself.
 * The code that answers other requests than `initialize` is loaded with the first of them.
 */
import { type Icon, McpServer, type ServerEventBus } from "@modelcontextprotocol/server";
import { type Language, printable, startMessage } from "#foundation/messages/start.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { ServedCollection } from "#library/search/types.ts";
import type { ToolDesk } from "./call_tool.ts";
import { clientOf } from "./connected_client.ts";
import { type ConnectionGuard, guardConnection, keepCapacity } from "./guard_connection.ts";
import type { ToolContext } from "./tool.ts";
import { offeredTool } from "./tools/mod.ts";

/** Milliseconds for which a client may keep the lists of tools and prompts: they change with a release only. */
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
  const { language, library, version, extend } = parts;
  const isWatched = parts.changes !== undefined;
  const unchanging = { ttlMs: LIST_TTL_MS, cacheScope: "private" as const };
  const current = { ttlMs: 0, cacheScope: "private" as const };
  const server = new McpServer(
    { name: "muxue_rag", title: startMessage(language, "mcp_title"), version, icons: [ICON] },
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
  if (extend === undefined) answerRequests(server, parts, tools);
  else extend(server);
  guardConnection(server, language, guard);
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

/** Folders that the instructions name. `list_collections` gives all. */
const MOST_FOLDERS = 20;

/** UTF-16 units of a description in the instructions. `list_collections` gives the whole text. */
const MAX_DESCRIPTION = 150;

/** The server's instructions for a model: its folders, and how to use the tools that `mcp.tools` offers. */
function instructionsText(
  folders: readonly ServedCollection[],
  tools: Config["mcp"]["tools"],
  language: Language,
): string {
  const search = offeredTool("search", tools);
  const read = offeredTool("read", tools);
  return [
    startMessage(language, "mcp_instructions", { roots: foldersText(folders, language) }),
    ...(search === undefined ? [] : [startMessage(language, "mcp_instructions_search", { search })]),
    ...(read === undefined ? [] : [startMessage(language, "mcp_instructions_read", { read })]),
    startMessage(language, "mcp_instructions_cite"),
  ].join("\n");
}

function foldersText(folders: readonly ServedCollection[], language: Language): string {
  if (folders.length === 0) return startMessage(language, "mcp_no_roots");
  const named = folders.slice(0, MOST_FOLDERS).map((folder) => folderText(folder, language));
  const others = folders.length - named.length;
  if (others > 0) named.push(startMessage(language, "mcp_more_folders", { count: others }));
  return named.join(language === "zh" ? "、" : ", ");
}

/** A folder with its name and the beginning of its description. */
function folderText({ name, root, description }: ServedCollection, language: Language): string {
  const named = { path: printable(root), name: printable(name) };
  if (description === undefined) {
    return name === root ? named.path : startMessage(language, "mcp_folder_named", named);
  }
  const about = description.length > MAX_DESCRIPTION
    ? `${description.slice(0, MAX_DESCRIPTION).toWellFormed()}…`
    : description;
  return startMessage(language, "mcp_folder_described", {
    ...named,
    description: printable(about),
  });
}

/** A page with lines of text under a magnifying glass. */
const SVG =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7d4f" stroke-width="2" ` +
  `stroke-linecap="round"><path d="M17 9V4H4v16h7M8 8h5M8 12h2"/><circle cx="15" cy="15" r="4"/><path d="m18 18 3 3"/></svg>`;

/** The icon of the server in lists of a client. It is part of the message, since a client may not load it from elsewhere. */
export const ICON: Icon = {
  src: `data:image/svg+xml;base64,${btoa(SVG)}`,
  mimeType: "image/svg+xml",
  sizes: ["any"],
};
