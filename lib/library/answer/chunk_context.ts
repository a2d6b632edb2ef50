/** The answer with a chunk and its neighbours, cut to the length that an answer may have: the farthest go first. */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { ChunkContext } from "#library/search/mod.ts";
import { imageRefs } from "./pictures.ts";
import { partLines } from "./search_answer.ts";
import { type AnswerLimit, fittedText, type TextAnswer } from "./shape.ts";
import { listedAnswer } from "./quoted.ts";
import { characterAt } from "#foundation/text_offsets.ts";

/** Shape of `data` in the answer of `get_chunk_context`. */
export const CHUNK_CONTEXT_DATA = z.looseObject({
  file_path: z.string(),
  content: z.string(),
  start_line: z.int(),
  end_line: z.int(),
});

/**
 * The answer with a chunk and its neighbours. If it exceeds its limit, the farthest neighbours are left out; a chunk that is
 * too long alone is cut at its end.
 */
export function chunkContextAnswer(
  context: ChunkContext,
  language: Language,
  limit: AnswerLimit,
): TextAnswer<z.output<typeof CHUNK_CONTEXT_DATA>> {
  const { path, sha256, section, page, first, count } = context;
  return fittedText(
    (chars) => {
      const { text, startLine, endLine, from, to } = partOf(context, chars);
      const chunks = context.chunks.slice(from, to + 1);
      const isCut = text.length < context.text.length;
      return listedAnswer({
        data: present({
          file_path: path,
          content: text,
          start_line: startLine,
          end_line: endLine,
          section: section.length > 0 ? section : undefined,
          page,
          chunks: chunks.map(({ chunkId, startLine, endLine, rows, images }) =>
            present({
              chunk_id: chunkId,
              start_line: startLine,
              end_line: endLine,
              rows: rows?.join("-"),
              image_refs: imageRefs(path, present({ images, sha256 })),
            })
          ),
          first_chunk: first + from,
          chunk_count: count,
          truncated: isCut || undefined,
        }),
        head: (quotes) => [
          message(language, "chunk_context_summary", {
            path: quotes.name(`${path}:${startLine}-${endLine}`),
            first: first + from,
            last: first + to,
            count,
          }),
          ...partLines(present({ rows: rowsOf(chunks), images: imagesOf(chunks) }), language),
        ],
        text,
        after: isCut ? [message(language, "chunk_context_cut")] : [],
      }, language);
    },
    ({ data }) => data.content,
    context.text.length,
    limit,
  );
}

/** The first and the last row of consecutive chunks; `undefined` without rows, and for several sheets. */
function rowsOf(chunks: ChunkContext["chunks"]): readonly [number, number] | undefined {
  const parts = chunks.flatMap(({ rows }) => rows === undefined ? [] : [rows]);
  const isOneSheet = parts.every(([first], i) => i === 0 || first >= parts[i - 1]![0]);
  return parts.length === 0 || !isOneSheet ? undefined : [parts[0]![0], parts.at(-1)![1]];
}

function imagesOf(chunks: ChunkContext["chunks"]): readonly number[] {
  return [...new Set(chunks.flatMap(({ images = [] }) => images))].sort((a, b) => a - b);
}

/**
 * The asked chunk, and of its neighbours as many on each side as fit into `chars` UTF-16 units. `from` and `to`: the first and last chunk,
 * counted from 0.
 */
function partOf({ text, chunks, asked }: ChunkContext, chars: number) {
  // The text before the first chunk is the head of its table.
  const startOf = (i: number) => i === 0 ? 0 : chunks[i]!.start;
  let [from, to] = [asked, asked];
  for (let isLonger = true; isLonger;) {
    isLonger = false;
    if (to + 1 < chunks.length && chunks[to + 1]!.end - startOf(from) <= chars) {
      to++;
      isLonger = true;
    }
    if (from > 0 && chunks[to]!.end - startOf(from - 1) <= chars) {
      from--;
      isLonger = true;
    }
  }
  const start = startOf(from);
  const { startLine } = chunks[from]!;
  const { end, endLine } = chunks[to]!;
  if (end - start <= chars) return { text: text.slice(start, end), startLine, endLine, from, to };
  const cut = characterAt(text, start + chars);
  const lines = text.slice(chunks[from]!.start, cut).trimEnd().split("\n").length;
  return {
    text: text.slice(start, cut),
    startLine,
    endLine: Math.min(endLine, startLine + lines - 1),
    from,
    to,
  };
}
