/**
 * The MCP server of one client: what it offers and says about itself.
 */
import {
  type Icon,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { join } from "node:path";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { type DeclaredTool, declareTool, offeredTool, registerTool } from "./register_tool.ts";
import { registerLogging, registerSubscriptions } from "./connected_client.ts";
import { type ConnectionGuard, guardConnection, Turns } from "./guard_connection.ts";
import { promptNamed, registerPrompts } from "./prompts/register_prompts.ts";
import { documentList, registerResources } from "./resources/register_resources.ts";
import type { ToolContext } from "./tool.ts";
import { toolsFor } from "./tools/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { ServedCollection } from "#library/search/types.ts";
import { UserError } from "#foundation/errors.ts";
import type { Library } from "#library/search/mod.ts";
import { folderNamed, URI_TEMPLATE } from "./resources/uri.ts";
import { protocolError } from "./message_limits.ts";
import type { PromptArgument } from "./prompts/prompt.ts";

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
    message(language, "mcp_instructions", { roots: foldersText(folders, language) }),
    ...(search === undefined ? [] : [message(language, "mcp_instructions_search", { search })]),
    ...(read === undefined ? [] : [message(language, "mcp_instructions_read", { read })]),
    message(language, "mcp_instructions_cite"),
  ].join("\n");
}

function foldersText(folders: readonly ServedCollection[], language: Language): string {
  if (folders.length === 0) return message(language, "mcp_no_roots");
  const named = folders.slice(0, MOST_FOLDERS).map((folder) => folderText(folder, language));
  const others = folders.length - named.length;
  if (others > 0) named.push(message(language, "mcp_more_folders", { count: others }));
  return named.join(language === "zh" ? "、" : ", ");
}

/** A folder with its name and the beginning of its description. */
function folderText({ name, root, description }: ServedCollection, language: Language): string {
  const named = { path: printable(root), name: printable(name) };
  if (description === undefined) {
    return name === root ? named.path : message(language, "mcp_folder_named", named);
  }
  const about = description.length > MAX_DESCRIPTION
    ? `${description.slice(0, MAX_DESCRIPTION).toWellFormed()}…`
    : description;
  return message(language, "mcp_folder_described", {
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

/** Values in one answer, which the protocol limits. */
const MAX_VALUES = 100;

/** Completes the arguments of prompts and of the template of resources. */
function registerCompletion({ server }: McpServer, context: ToolContext): void {
  const { library } = context;
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument: { name, value } } = params;
    try {
      if (ref.type === "ref/prompt") {
        const kind = promptNamed(ref.name).arguments.find((argument) => argument.name === name)?.completion;
        return completion(value, await valuesOf(kind, library));
      }
      if (ref.uri !== URI_TEMPLATE) throw new UserError("resource_not_found", { uri: ref.uri });
      const collection = params.context?.arguments?.collection;
      return completion(value, await partsOfUri(name, collection, library));
    } catch (error) {
      const known = await protocolError(error, "completion/complete", context);
      const isUnknown = error instanceof UserError && error.key === "resource_not_found";
      throw isUnknown ? new ProtocolError(ProtocolErrorCode.InvalidParams, known.message) : known;
    }
  });
}

async function valuesOf(kind: PromptArgument["completion"], library: Library): Promise<readonly string[]> {
  const names = library.collections.map(({ name }) => name);
  if (kind === undefined) return [];
  if (kind === "collections") return names;
  const { documents } = await documentList(library);
  if (kind === "paths") {
    const seen = new Set<string>();
    const several = new Set<string>();
    for (const { file: { path } } of documents) (seen.has(path) ? several : seen).add(path);
    return documents.map(({ folder, file: { path } }) => several.has(path) ? join(folder.root, path) : path);
  }
  const below = new Set<string>();
  for (const { folder, file } of documents) {
    for (let at = file.path.indexOf("/"); at >= 0; at = file.path.indexOf("/", at + 1)) {
      below.add(join(folder.root, file.path.slice(0, at)));
    }
  }
  return [...names, ...below];
}

/** Values for a part of the template. `collection`: the folder that the client has chosen before. */
async function partsOfUri(
  name: string,
  collection: string | undefined,
  library: Library,
): Promise<readonly string[]> {
  const folders = library.collections;
  if (name === "collection") return folders.map(({ name }) => name);
  if (name !== "path") return [];
  const chosen = collection === undefined ? undefined : folderNamed(collection, folders);
  const { documents } = await documentList(library);
  return documents.filter(({ folder }) => collection === undefined || folder.root === chosen?.root)
    // The template keeps these characters as they are.
    .map(({ file }) => file.path.replace(/[%?#]/g, encodeURIComponent));
}

/** The values that begin with the typed text, those with a last part that does, and those that contain it. */
function completion(typed: string, values: readonly string[]) {
  const text = typed.toLowerCase();
  const ranks: string[][] = [[], [], []];
  for (const value of values) {
    const lower = value.toLowerCase();
    const at = lower.indexOf(text);
    if (at < 0) continue;
    const isLastPart = lower.startsWith(text, lower.lastIndexOf("/") + 1);
    ranks[at === 0 ? 0 : isLastPart ? 1 : 2]!.push(value);
  }
  const found = ranks.flat();
  return {
    completion: {
      values: found.slice(0, MAX_VALUES),
      total: found.length,
      hasMore: found.length > MAX_VALUES,
    },
  };
}
