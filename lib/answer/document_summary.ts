import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { ServedDocument, Summary } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { creationOf, documentInfo } from "./document_info.ts";
import { listedAnswer } from "./listed_answer.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";

/** Sections that a summary names. */
const MAX_SECTIONS = 30;

/** Shape of `data` in the answer of `get_document_summary`. */
export const SUMMARY_DATA = z.looseObject({
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  sections: z.array(z.string()),
  section_count: z.int(),
});

/** The part of {@linkcode SUMMARY_DATA} that the tool declares: a client may give the schema to a model. */
export const DECLARED_SUMMARY_DATA = z.looseObject({ title: z.string(), summary: z.string() });

/**
 * The answer with the summary of a document. Where it does not fit the limit, it names fewer chapters, then fewer sentences and
 * terms. `…` stands for chapters left out, and `data.section_count` counts all.
 */
export function summaryAnswer(
  served: ServedDocument,
  { sentences, tags }: Summary,
  { language, limit }: { readonly language: Language; readonly limit: AnswerLimit },
): TextAnswer<z.output<typeof SUMMARY_DATA>> {
  const chapters = chaptersOf(served.document);
  const parts: { -readonly [Name in keyof Parts]: Parts[Name] } = {
    chapters: chapters.slice(0, MAX_SECTIONS),
    sentences,
    tags,
  };
  for (;;) {
    const answer = answerOf(served, parts, chapters.length, language);
    const cut = (["chapters", "sentences", "tags"] as const)
      .find((name) => parts[name].length > (name === "sentences" ? 1 : 0));
    if (cut === undefined || sentTokens(answer, limit.shape) <= limit.maxTokens) return answer;
    parts[cut] = parts[cut].slice(0, Math.floor(parts[cut].length * 0.8));
  }
}

/** The titles of the highest level that divides the document. */
function chaptersOf({ sections }: ServedDocument["document"]): string[] {
  const titled = sections.filter(({ title }) => title !== "");
  // A call with so many arguments as a document may have headings would overflow the stack.
  const top = titled.reduce((least, { level }) => Math.min(least, level), Infinity);
  // A document with one title has its chapters a level below.
  const most = titled.filter(({ level }) => level === top).length === 1 ? top + 1 : top;
  return titled.filter(({ level }) => level <= most).map(({ title }) => title);
}

interface Parts {
  readonly chapters: readonly string[];
  readonly sentences: readonly string[];
  readonly tags: readonly string[];
}

function answerOf(
  served: ServedDocument,
  { chapters, sentences, tags }: Parts,
  chapterCount: number,
  language: Language,
): TextAnswer<z.output<typeof SUMMARY_DATA>> {
  const { document, path, name, size, modified } = served;
  const title = document.title ?? document.sections.find((section) => section.title !== "")?.title ?? name;
  const isChinese = /\p{Script=Han}/u.test(sentences[0] ?? "");
  const summary = sentences.join(isChinese ? "" : " ");
  const shownChapters = chapters.length < chapterCount ? [...chapters, "…"] : chapters;
  const created = creationOf(served);
  return listedAnswer({
    data: {
      title,
      summary,
      tags: [...tags],
      sections: [...chapters],
      section_count: chapterCount,
      file_info: documentInfo(served),
    },
    head: (quotes) => [
      message(language, "document_summarised", {
        path: quotes.name(path),
        size,
        modified: modified.toISOString().slice(0, 10),
        created: created === undefined
          ? ""
          : message(language, `document_created_by_${created.by}`, { created: created.time.slice(0, 10) }),
      }),
    ],
    text: [
      title,
      "",
      summary,
      "",
      message(language, "document_tags", { tags: tags.join(message(language, "list_comma")) }),
      message(language, "document_chapters", {
        sections: shownChapters.join(message(language, "list_comma")),
      }),
    ].join("\n"),
  }, language);
}
