import { type Language, MESSAGES } from "../messages.ts";
import type { Quotes } from "./quoted.ts";

/**
 * The notices of a search that name files, folders, words of the query or what a server said. Notices are sentences in the user's language
 * by the time an answer is made of them.
 */
const NAMING = [
  ...["word_not_found", "phrase_not_found", "hits_outdated", "files_newer", "files_newer_at_least"] as const,
  ...["folder_gone", "folder_without_index", "folder_index_unusable", "folder_index_elsewhere"] as const,
  ...["folder_of_other_model", "folders_added", "folders_updating", "folders_first_update"] as const,
  ...["neural_share", "neural_share_growing", "server_share", "server_share_growing"] as const,
  ...["hybrid_without_models", "hybrid_without_server"] as const,
  ...["hits_not_reranked", "documents_unread", "documents_unread_partly"] as const,
  ...["nothing_to_search", "nothing_indexed_below", "folder_is_empty"] as const,
  ...["images_given", "images_left_out", "images_too_large"] as const,
];

/** The notices that name nothing. */
const NAMELESS = [
  ...["hybrid_without_vectors", "filters_pass_nothing", "answer_capped", "passages_trimmed"] as const,
  ...["passages_dropped", "notices_dropped", "degrees_left_out"] as const,
];

/** UTF-16 units of a notice that is compared with the messages. A longer one is quoted whole. */
const MAX_CHARS = 8000;

/** A placeholder of a message, as `message()` reads it. */
const PLACEHOLDER = /\{(-c|\w+)(?:!|\|([^|}]*)\|([^|}]*))?\}/;

/**
 * A notice with its names quoted, and the program's own words around them outside of the quotation. A notice of no known form is quoted
 * whole: only words of the program's messages may stand outside.
 */
export function quotedNotice(notice: string, language: Language, quotes: Pick<Quotes, "name">): string {
  if (notice.length > MAX_CHARS) return quotes.name(notice);
  for (const key of [...NAMING, ...NAMELESS]) {
    const parts = partsOf(MESSAGES[key][language], notice);
    if (parts === undefined) continue;
    return parts.map(({ text, isName }) => isName && text !== "" ? quotes.name(text) : text).join("");
  }
  return quotes.name(notice);
}

/** The words of a message and the values in a sentence that was made of it; `undefined` if it was made of another. */
function partsOf(template: string, sentence: string): { text: string; isName: boolean }[] | undefined {
  const names: boolean[] = [];
  const pattern = template.split(
    new RegExp(`(${PLACEHOLDER.source.replaceAll("(", "(?:").replaceAll("(?:?:", "(?:")})`),
  )
    .map((part) => {
      const placeholder = PLACEHOLDER.exec(part);
      if (placeholder === null) {
        names.push(false);
        return `(${RegExp.escape(part)})`;
      }
      const [, name, one, several] = placeholder;
      const isNumber = name === "count" || name === "percent";
      names.push(one === undefined && !isNumber);
      if (one !== undefined) return `(${RegExp.escape(one)}|${RegExp.escape(several!)})`;
      return isNumber ? "(\\d+)" : "([^]*)";
    }).join("");
  const match = new RegExp(`^${pattern}$`).exec(sentence);
  return match === null ? undefined : names.map((isName, i) => ({ text: match[i + 1]!, isName }));
}
