import type { McpServer } from "@modelcontextprotocol/server";
import { logSearch } from "../../log/mod.ts";
import { type Language, message, printable } from "../../messages.ts";
import type { Hit, SearchAnswer } from "../../search/mod.ts";
import { quoted } from "../quoted.ts";
import { SEARCH_DATA, searchResult } from "../search_result.ts";
import { UNTRUSTED, untrusted } from "../untrusted.ts";
import { searchInput, searchRequest } from "./_search_input.ts";
import { addTool, type ToolContext } from "./_tool.ts";

/** Adds `search_rag` (DESIGN §7): passages of the served folders that answer a question. */
export function addSearchRag(server: McpServer, context: ToolContext): void {
  const { language, library, log } = context;
  addTool(server, context, {
    name: "search_rag",
    title: message(language, "search_rag_title"),
    description: message(language, "search_rag_description"),
    input: searchInput(language),
    output: SEARCH_DATA.extend(UNTRUSTED),
    async run(input, signal) {
      const found = await library.search(searchRequest(input), signal);
      const result = searchResult(found, language);
      logSearch(log, input.keyword, found);
      const data = found.hits.length === 0 ? result.data : untrusted(language, result.data);
      return { ...result, data, text: searchText(language, found, result.data.stats.match_file_count) };
    },
  });
}

/** What a model reads: a summary, then every passage under its numbered citation, quoted. */
function searchText(language: Language, found: SearchAnswer, files: number): string {
  const notices = found.notices.map((notice) =>
    message(language, "notice_line", { notice: printable(notice) })
  );
  if (found.hits.length === 0) return [message(language, "no_match"), ...notices].join("\n");
  const summary = message(language, "search_summary", {
    message: message(language, "search_ok"),
    chunks: found.hits.length,
    files,
    seconds: found.seconds.toFixed(3),
  });
  const head = [summary, ...notices, message(language, "quoted_content")].join("\n");
  const contents = quoted(found.hits.map(({ content }) => content));
  const passages = found.hits.map((hit, index) =>
    `${citation(language, hit, index + 1)}\n${contents[index]}`
  );
  return [head, ...passages].join("\n\n");
}

/** `[1] path:start-end (section) degree` */
function citation(language: Language, hit: Hit, number: number): string {
  const place = [
    ...(hit.section.length > 0 ? [hit.section.join(" > ")] : []),
    ...(hit.page !== undefined ? [message(language, "page_number", { page: hit.page })] : []),
  ];
  const parts = [
    `[${number}]`,
    `${hit.filePath}:${hit.startLine}-${hit.endLine}`,
    ...(place.length > 0 ? [`(${place.join(", ")})`] : []),
    message(language, `degree_${hit.degree}`),
  ];
  // a file's name may hold line ends, and what comes after them would look like ours
  return printable(parts.join(" "));
}
