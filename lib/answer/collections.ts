import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { CollectionInfo } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { fittedPage, type Page } from "./fitted_page.ts";
import { listedAnswer } from "./listed_answer.ts";

const COLLECTION = z.looseObject({ name: z.string(), path: z.string(), documents: z.int(), chunks: z.int() });

/** Shape of `data` in the answer of `list_collections`. */
export const COLLECTIONS_DATA = z.looseObject({ collections: z.array(COLLECTION) });

/** The answer with the served folders, or a page of them. */
export function collectionsAnswer(
  collections: readonly CollectionInfo[],
  language: Language,
  page: Page,
): TextAnswer<z.output<typeof COLLECTIONS_DATA>> {
  return fittedPage(collections, page, (shown, cursor) =>
    listedAnswer({
      data: { collections: shown.map(collectionData), ...(cursor !== undefined && { next_cursor: cursor }) },
      head: () => [message(language, "collections_summary", { count: collections.length })],
      text: shown.map((one) => collectionLine(one, language)).join("\n"),
      after: cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })],
    }, language));
}

/** The fields about a served folder. */
export function collectionData(info: CollectionInfo) {
  return {
    name: info.name,
    ...(info.description !== undefined && { description: info.description }),
    path: info.root,
    state: info.state,
    documents: info.documents,
    chunks: info.chunks,
    not_indexed: info.notIndexed,
    languages: [...info.languages],
    ...(info.model !== undefined && { model: info.model }),
    ...(info.indexedAt !== undefined && { updated: info.indexedAt.toISOString() }),
    ...(info.newerFiles !== undefined && { newer_files: info.newerFiles }),
  };
}

/** One line about a served folder. */
export function collectionLine(
  { name, description, root, state, documents, chunks, languages, indexedAt, newerFiles }: CollectionInfo,
  language: Language,
): string {
  return message(language, "collection_line", {
    name,
    path: root,
    description: description === undefined ? "" : message(language, "collection_about", { description }),
    state: state === "ready" ? "" : ` (${message(language, `collection_${state}`)})`,
    documents,
    chunks,
    languages: languages.join(", "),
    updated: indexedAt?.toISOString() ?? "-",
    newer: newerFiles === undefined || newerFiles === 0
      ? ""
      : message(language, "collection_newer", { count: newerFiles }),
  });
}
