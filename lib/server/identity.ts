/**
 * The server's description of itself: its name, what it offers, and its instructions for a model.
 * It needs nothing of the SDK, because the first answer is sent before the SDK is loaded.
 */
import type {
  Icon,
  Implementation,
  McpServer,
  ServerCapabilities,
  ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Config } from "#foundation/configuration/mod.ts";
import { type Language, printable, startMessage } from "#foundation/messages/start.ts";
import type { ServedCollection } from "#library/search/types.ts";
import type { ToolContext } from "./tool.ts";
import { offeredTool } from "./tools/mod.ts";

/** Parts that all server instances of a process share. */
export interface ServerParts extends ToolContext {
  /** The program's version, sent to the client. */
  readonly version: string;
  /** Publishes what changes while the server runs, for clients that asked to be told. */
  readonly changes?: ServerEventBus;
  /** Adds to a new instance, in place of the program's resources and prompts. The fixtures of the official test suite use it; the program does not. */
  readonly extend?: (server: McpServer) => void;
}

/** The parts that the description of a server depends on. */
export interface IdentityParts extends Pick<ServerParts, "language" | "version" | "extend"> {
  readonly library: Pick<ToolContext["library"], "collections">;
  readonly config: Pick<Config["mcp"], "tools">;
  /** Present where clients are told of changes, and of messages. */
  readonly changes?: unknown;
  readonly notes?: unknown;
}

/** The description of a server in its answer to `initialize`. */
export interface Identity {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string;
}

/** Returns the description of a server with these parts. */
export function identityOf(
  { language, library, version, extend, changes, notes, config }: IdentityParts,
): Identity {
  const isWatched = changes !== undefined;
  return {
    serverInfo: { name: "muxue_rag", title: startMessage(language, "mcp_title"), version, icons: [ICON] },
    capabilities: {
      tools: { listChanged: false },
      ...(extend === undefined && {
        completions: {},
        prompts: { listChanged: false },
        resources: { listChanged: isWatched, subscribe: isWatched },
        ...(notes !== undefined && { logging: {} }),
      }),
    },
    instructions: instructionsText(library.collections, config.tools, language),
  };
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
