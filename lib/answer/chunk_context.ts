import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { ChunkContext } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { fittedText } from "./fitted_text.ts";
import { listedAnswer } from "./listed_answer.ts";
import type { AnswerLimit } from "./shape.ts";

/** Shape of `data` in the answer of `get_chunk_context`. */
export const CHUNK_CONTEXT_DATA = z.looseObject({
  file_path: z.string(),
  content: z.string(),
  start_line: z.int(),
  end_line: z.int(),
});

/** The answer with a chunk and its neighbours, cut at the end if it exceeds its limit. */
export function chunkContextAnswer(
  context: ChunkContext,
  language: Language,
  limit: AnswerLimit,
): TextAnswer<z.output<typeof CHUNK_CONTEXT_DATA>> {
  const { path, startLine, endLine, section, page, chunks, first, count } = context;
  return fittedText(
    (chars) => {
      const isCut = chars < context.text.length;
      return listedAnswer({
        data: {
          file_path: path,
          content: context.text.slice(0, chars),
          start_line: startLine,
          end_line: endLine,
          ...(section.length > 0 && { section: [...section] }),
          ...(page !== undefined && { page }),
          chunks: chunks.map((chunk) => ({
            chunk_id: chunk.chunkId,
            start_line: chunk.startLine,
            end_line: chunk.endLine,
          })),
          first_chunk: first,
          chunk_count: count,
          ...(isCut && { truncated: true }),
        },
        head: (quotes) => [
          message(language, "chunk_context_summary", {
            path: quotes.name(`${path}:${startLine}-${endLine}`),
            first,
            last: first + chunks.length - 1,
            count,
          }),
        ],
        text: context.text.slice(0, chars),
        after: isCut ? [message(language, "chunk_context_cut")] : [],
      }, language);
    },
    ({ data }) => data.content,
    context.text.length,
    limit,
  );
}
