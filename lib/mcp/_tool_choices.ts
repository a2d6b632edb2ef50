import type { Config } from "../config/mod.ts";
import { toolsFor } from "./tools/mod.ts";

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
  const offered = new Set<string>(toolsFor(wanted).map(({ name }) => name));
  return CHOICES[purpose].find((name) => offered.has(name));
}

/** The same where a text needs a name in any case. */
export function toolFor(purpose: keyof typeof CHOICES, wanted: Config["mcp"]["tools"]): string {
  return offeredTool(purpose, wanted) ?? CHOICES[purpose][0];
}
