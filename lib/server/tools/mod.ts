/** The MCP tools, one file each. */
import type { Config } from "#foundation/configuration/mod.ts";
import type { Tool } from "../tool.ts";
import {
  explainSearch,
  findRelated,
  queryKnowledgeHub,
  searchByKeyword,
  searchBySemantic,
  searchRag,
} from "./search_tools.ts";
import {
  getChunkContext,
  getDocumentContent,
  getDocumentOriginal,
  getDocumentSummary,
  listDocumentSections,
  readDocuments,
  readRawFile,
} from "./reading_tools.ts";
import { indexStatus, ingestNow, listCollections, listDocuments, reembedDocument } from "./folder_tools.ts";

/** All tools, in the order in which the client receives them. Their names are `TOOL_NAMES` in `lib/foundation/configuration/defaults.ts`. */
export const TOOLS: readonly Tool[] = [
  searchRag,
  readRawFile,
  getDocumentContent,
  getDocumentOriginal,
  listDocumentSections,
  explainSearch,
  queryKnowledgeHub,
  searchByKeyword,
  searchBySemantic,
  listCollections,
  listDocuments,
  getDocumentSummary,
  findRelated,
  getChunkContext,
  readDocuments,
  indexStatus,
  ingestNow,
  reembedDocument,
];

/** The tools that `mcp.tools` chooses. */
export function toolsFor(wanted: Config["mcp"]["tools"]): readonly Tool[] {
  if (wanted === "all") return TOOLS;
  return TOOLS.filter(({ name, isDefault }) =>
    wanted === "default" ? isDefault === true : wanted.some((chosen) => chosen === name)
  );
}
