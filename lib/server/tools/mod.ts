/**
 * The list of the MCP tools: their names, and what must be known of each before its code is loaded.
 * A client's first request for tools loads the code; `initialize` is answered without it.
 */
import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Config } from "#foundation/configuration/mod.ts";
import type { Tool, ToolContext, ToolName } from "../tool.ts";

/** A tool in the list. Its title and description are the messages `NAME_title` and `NAME_description`. */
export interface ListedTool {
  readonly name: ToolName;
  /** Whether it is in the list of a client unless `mcp.tools` says otherwise. Default: no. */
  readonly isDefault?: true;
  /** Share of {@linkcode CAPACITY} that a call uses until it is answered. Default: 1. */
  readonly cost?: number;
  /** Whether it may write the indexes. Default: no. */
  readonly writes?: true;
  /** Whether it needs a language model that answers questions. Default: no. */
  readonly asks?: true;
  readonly load: () => Promise<Tool>;
}

/** Sum of the costs of all requests in progress, until their answers are written. */
export const CAPACITY = 64;
/** Cost of a call that reads a file of up to 100 MB. It allows two such calls at once. */
const READ_COST = 32;
/** Cost of a check, which may take a second. */
const CHECK_COST = 8;
const READS = { isDefault: true, cost: READ_COST } as const;
/** A call that waits for work in the background must not keep other requests waiting. */
const WAITS = { cost: 0, writes: true } as const;

const search = () => import("./search_tools.ts");
const reading = () => import("./reading_tools.ts");
const pictures = () => import("./picture_tools.ts");
const checks = () => import("./check_tools.ts");
const answers = () => import("./ask_tools.ts");
const folders = () => import("./folder_tools.ts");

/** All tools, in the order in which the client receives them. Their names are `TOOL_NAMES` in `lib/foundation/configuration/defaults.ts`. */
export const TOOLS: readonly ListedTool[] = [
  { name: "search_rag", isDefault: true, load: async () => (await search()).searchRag },
  { name: "read_raw_file", ...READS, load: async () => (await reading()).readRawFile },
  { name: "get_document_content", ...READS, load: async () => (await reading()).getDocumentContent },
  { name: "get_document_original", ...READS, load: async () => (await reading()).getDocumentOriginal },
  { name: "list_document_sections", ...READS, load: async () => (await reading()).listDocumentSections },
  { name: "query_table", cost: READ_COST, load: async () => (await reading()).queryTable },
  { name: "explain_search", isDefault: true, load: async () => (await search()).explainSearch },
  { name: "query_knowledge_hub", isDefault: true, load: async () => (await search()).queryKnowledgeHub },
  { name: "search_by_keyword", load: async () => (await search()).searchByKeyword },
  { name: "search_by_semantic", load: async () => (await search()).searchBySemantic },
  { name: "list_collections", isDefault: true, load: async () => (await folders()).listCollections },
  { name: "list_documents", isDefault: true, load: async () => (await folders()).listDocuments },
  { name: "get_document_summary", ...READS, load: async () => (await reading()).getDocumentSummary },
  { name: "find_related", cost: READ_COST, load: async () => (await search()).findRelated },
  { name: "get_chunk_context", isDefault: true, load: async () => (await reading()).getChunkContext },
  {
    name: "verify_answer",
    isDefault: true,
    cost: CHECK_COST,
    load: async () => (await checks()).verifyAnswer,
  },
  { name: "ask", asks: true, load: async () => (await answers()).askTool },
  { name: "list_images", cost: READ_COST, load: async () => (await pictures()).listImages },
  { name: "get_image", cost: READ_COST, load: async () => (await pictures()).getImage },
  { name: "get_page_image", cost: READ_COST, load: async () => (await pictures()).getPageImage },
  { name: "read_documents", cost: READ_COST, load: async () => (await reading()).readDocuments },
  { name: "index_status", load: async () => (await folders()).indexStatus },
  { name: "ingest_now", isDefault: true, ...WAITS, load: async () => (await folders()).ingestNow },
  { name: "reembed_document", ...WAITS, load: async () => (await folders()).reembedDocument },
];

/** Whether a server may write indexes; if not, no default tool does. Whether a language model answers questions; if not, no tool asks it. */
export type Abilities = Readonly<Record<"writes" | "asks", boolean>>;

/** The abilities of a server with these parts. */
export function abilitiesOf({ upkeep, answering }: Pick<ToolContext, "upkeep" | "answering">): Abilities {
  return { writes: upkeep !== undefined, asks: answering !== undefined };
}

/** The tools that `mcp.tools` chooses. */
export function toolsFor(wanted: Config["mcp"]["tools"], abilities: Abilities): readonly ListedTool[] {
  const possible = TOOLS.filter(({ asks }) => abilities.asks || !asks);
  if (wanted === "all") return possible;
  return possible.filter(({ name, isDefault, writes }) =>
    wanted === "default"
      ? isDefault && (abilities.writes || !writes)
      : wanted.some((chosen) => chosen === name)
  );
}

/** The cost of a request. A subscription has none: it stays unanswered as long as it lives. */
export function requestCost({ method, params }: JSONRPCRequest): number {
  if (method === "subscriptions/listen") return 0;
  if (method === "resources/read") return READ_COST;
  if (method !== "tools/call") return 1;
  return TOOLS.find(({ name }) => name === params?.name)?.cost ?? 1;
}

/** Tools for a purpose, the most suitable first. */
const CHOICES = {
  search: ["search_rag", "query_knowledge_hub", "search_by_keyword", "search_by_semantic"],
  read: ["get_document_content", "read_documents", "read_raw_file"],
  extracted: ["get_document_content", "read_documents"],
  list: ["list_documents", "index_status", "list_collections"],
} as const;

/** The name of the most suitable tool for a purpose among those that `mcp.tools` offers; `undefined` if there is no such tool. */
export function offeredTool(
  purpose: keyof typeof CHOICES,
  wanted: Config["mcp"]["tools"],
): string | undefined {
  const offered = new Set<string>(toolsFor(wanted, { writes: true, asks: true }).map(({ name }) => name));
  return CHOICES[purpose].find((name) => offered.has(name));
}

/** The same where a text needs a name in any case. */
export function toolFor(purpose: keyof typeof CHOICES, wanted: Config["mcp"]["tools"]): string {
  return offeredTool(purpose, wanted) ?? CHOICES[purpose][0];
}
