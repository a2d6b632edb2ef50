import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { ServedDocument, Summary } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { documentInfo } from "./document_info.ts";
import { listedAnswer } from "./listed_answer.ts";

/** Sections that a summary names. */
const MAX_SECTIONS = 30;

/** Shape of `data` in the answer of `get_document_summary`. */
export const SUMMARY_DATA = z.looseObject({
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  sections: z.array(z.string()),
});

/** The answer with the summary of a document. */
export function summaryAnswer(
  served: ServedDocument,
  { sentences, tags }: Summary,
  language: Language,
): TextAnswer<z.output<typeof SUMMARY_DATA>> {
  const { document, path, name, size, modified } = served;
  const titled = document.sections.filter(({ title }) => title !== "");
  // A call with so many arguments as a document may have headings would overflow the stack.
  const top = titled.reduce((least, { level }) => Math.min(least, level), Infinity);
  // A document with one title has its chapters a level below.
  const most = titled.filter(({ level }) => level === top).length === 1 ? top + 1 : top;
  const sections = titled.filter(({ level }) => level <= most).map(({ title }) => title).slice(
    0,
    MAX_SECTIONS,
  );
  const title = document.title ?? titled[0]?.title ?? name;
  const isChinese = /\p{Script=Han}/u.test(sentences[0] ?? "");
  const summary = sentences.join(isChinese ? "" : " ");
  return listedAnswer({
    data: { title, summary, tags: [...tags], sections, file_info: documentInfo(served) },
    head: (quotes) => [
      message(language, "document_summarised", {
        path: quotes.name(path),
        size,
        modified: modified.toISOString().slice(0, 10),
      }),
    ],
    text: [
      title,
      "",
      summary,
      "",
      message(language, "document_tags", { tags: tags.join(message(language, "list_comma")) }),
      message(language, "document_chapters", { sections: sections.join(message(language, "list_comma")) }),
    ].join("\n"),
  }, language);
}
