import type { McpServer } from "@modelcontextprotocol/server";
import { logSearch } from "../../log/mod.ts";
import { type Language, message, placeList } from "../../messages.ts";
import type { Hit, SearchAnswer } from "../../search/mod.ts";
import {
  quotedAnswer,
  type Quotes,
  SEARCH_DATA,
  searchResult,
  UNTRUSTED,
  untrusted,
} from "../../answer/mod.ts";
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
      const { match_file_count: files } = result.data.stats;
      return {
        ...result,
        data: quotesNothing(found) ? result.data : untrusted(language, result.data),
        text: quotedAnswer((quotes) => searchText(language, found, files, quotes)),
      };
    },
  });
}

/** An answer that holds nothing of a file, a file's name or the query. Notices may name files and phrases. */
function quotesNothing({ hits, notices }: SearchAnswer): boolean {
  return hits.length === 0 && notices.length === 0;
}

/** The text for a model: a summary, then every passage under its numbered citation, quoted. */
function searchText(language: Language, found: SearchAnswer, files: number, quotes: Quotes): string {
  const summary = found.hits.length === 0
    ? message(language, "no_match")
    : message(language, "search_summary", {
      message: message(language, "search_ok"),
      chunks: found.hits.length,
      files,
      seconds: found.seconds.toFixed(3),
    });
  const head = [
    summary,
    ...(quotesNothing(found) ? [] : [message(language, "quoted_content", { tag: quotes.tag })]),
    ...found.notices.map((notice) => message(language, "notice_line", { notice: quotes.name(notice) })),
  ];
  const passages = found.hits.map((hit, index) =>
    [
      citation(language, hit, index + 1, quotes),
      ...(hit.also === undefined
        ? []
        : [message(language, "also_in", { places: quotes.name(placeList(hit.also)) })]),
      quotes.text(hit.content),
    ].join("\n")
  );
  return [head.join("\n"), ...passages].join("\n\n");
}

/** `[1] path:start-end (section) degree`, with the file's name and the headings quoted: a file may hold any text in them. */
function citation(language: Language, hit: Hit, number: number, quotes: Quotes): string {
  const place = [
    ...(hit.section.length > 0 ? [hit.section.join(" > ")] : []),
    ...(hit.page !== undefined ? [message(language, "page_number", { page: hit.page })] : []),
  ];
  const lines = `${hit.filePath}:${hit.startLine}-${hit.endLine}`;
  const quoted = quotes.name([lines, ...(place.length > 0 ? [`(${place.join(", ")})`] : [])].join(" "));
  return `[${number}] ${quoted} ${message(language, `degree_${hit.degree}`)}`;
}
