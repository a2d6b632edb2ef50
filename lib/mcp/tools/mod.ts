/** The MCP tools, one file each. */
import type { Config } from "../../config/mod.ts";
import type { Tool } from "../tool.ts";
import { explainSearch } from "./explain_search.ts";
import { getDocumentContent } from "./get_document_content.ts";
import { getDocumentOriginal } from "./get_document_original.ts";
import { listDocumentSections } from "./list_document_sections.ts";
import { queryKnowledgeHub } from "./query_knowledge_hub.ts";
import { readRawFile } from "./read_raw_file.ts";
import { searchByKeyword } from "./search_by_keyword.ts";
import { searchBySemantic } from "./search_by_semantic.ts";
import { searchRag } from "./search_rag.ts";

/** All tools, in the order in which the client receives them. Their names are `TOOL_NAMES` in `lib/config/choices.ts`. */
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
];

/** The tools that `mcp.tools` chooses. */
export function toolsFor(wanted: Config["mcp"]["tools"]): readonly Tool[] {
  if (wanted === "all") return TOOLS;
  return TOOLS.filter(({ name, isDefault }) =>
    wanted === "default" ? isDefault === true : wanted.some((chosen) => chosen === name)
  );
}
