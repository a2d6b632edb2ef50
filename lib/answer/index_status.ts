import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { CollectionInfo, DocumentList } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { collectionData, collectionLine } from "./collections.ts";
import { fittedPage, type Page } from "./fitted_page.ts";
import { listedAnswer } from "./listed_answer.ts";

/** Shape of `data` in the answer of `index_status`. */
export const STATUS_DATA = z.looseObject({
  collections: z.array(z.looseObject({ path: z.string(), state: z.string() })),
  failed: z.array(z.looseObject({ path: z.string() })),
  failed_count: z.int(),
});

/** The answer with the states of the indexes. `failed`: the first of the files that could not be read. */
export function statusAnswer(
  collections: readonly CollectionInfo[],
  failed: DocumentList,
  language: Language,
  page: Page,
): TextAnswer<z.output<typeof STATUS_DATA>> {
  const files = failed.documents.map(({ path, reason = "" }) => ({ path, reason }));
  return fittedPage(collections, page, (shown, cursor) =>
    listedAnswer({
      data: {
        collections: shown.map(collectionData),
        failed: files,
        failed_count: failed.total,
        ...(cursor !== undefined && { next_cursor: cursor }),
      },
      head: () => [
        message(language, "collections_summary", { count: collections.length }),
        message(language, "failed_summary", { count: failed.total }),
      ],
      text: [
        ...shown.map((one) => collectionLine(one, language)),
        ...files.map(({ path, reason }) => `${path}: ${reason}`),
        ...(failed.total > files.length ? ["…"] : []),
      ].join("\n"),
      after: cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })],
    }, language));
}
