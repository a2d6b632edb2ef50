/** The MCP tools, one file each. */
import type { Config } from "../../config/mod.ts";
import type { Tool } from "../tool.ts";
import { explainSearch } from "./explain_search.ts";
import { getDocumentContent } from "./get_document_content.ts";
import { getDocumentOriginal } from "./get_document_original.ts";
import { listDocumentSections } from "./list_document_sections.ts";
import { listCollections } from "./list_collections.ts";
import { listDocuments } from "./list_documents.ts";
import { getDocumentSummary } from "./get_document_summary.ts";
import { findRelated } from "./find_related.ts";
import { getChunkContext } from "./get_chunk_context.ts";
import { readDocuments } from "./read_documents.ts";
import { indexStatus } from "./index_status.ts";
import { ingestNow } from "./ingest_now.ts";
import { queryKnowledgeHub } from "./query_knowledge_hub.ts";
import { readRawFile } from "./read_raw_file.ts";
import { reembedDocument } from "./reembed_document.ts";
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
