/** The MCP tools, one file each. */
import type { Tool } from "../tool.ts";
import { explainSearch } from "./explain_search.ts";
import { getDocumentContent } from "./get_document_content.ts";
import { getDocumentOriginal } from "./get_document_original.ts";
import { listDocumentSections } from "./list_document_sections.ts";
import { readRawFile } from "./read_raw_file.ts";
import { searchRag } from "./search_rag.ts";

/** All tools, in the order in which the client receives them. */
export const TOOLS: readonly Tool[] = [
  searchRag,
  readRawFile,
  getDocumentContent,
  getDocumentOriginal,
  listDocumentSections,
  explainSearch,
];
