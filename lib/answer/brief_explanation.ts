import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { SearchAnswer } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { briefText } from "./brief_explanation_text.ts";
import { type Extent, shortened } from "./brief_explanation_data.ts";
import { explanationResult } from "./explanation.ts";
import { quotedAnswer } from "./quoted.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";
import { UNTRUSTED, untrusted } from "./untrusted.ts";

/**
 * Shape of `data` in an answer of `explain_search`. Only its main parts are declared: a schema of the whole explanation took
 * a third of the tokens of the list of tools.
 */
export const BRIEF_EXPLANATION_DATA = z.looseObject({
  ...UNTRUSTED,
  final_results: z.array(z.looseObject({ rank: z.int(), file_path: z.string(), score: z.number() })),
});

/** The first that fits is used. */
const EXTENTS: readonly Extent[] = [
  { results: 10, detailed: 10, listed: 5, words: 5 },
  { results: 10, detailed: 5, listed: 3, words: 5 },
  { results: 10, detailed: 4, listed: 3, words: 4 },
  { results: 10, detailed: 3, listed: 3, words: 4 },
  { results: 10, detailed: 3, listed: 2, words: 3 },
  { results: 10, detailed: 2, listed: 2, words: 3 },
  { results: 5, detailed: 3, listed: 2, words: 3 },
  { results: 5, detailed: 2, listed: 1, words: 2 },
  { results: 5, detailed: 1, listed: 1, words: 2 },
  { results: 3, detailed: 1, listed: 1, words: 1 },
  { results: 1, detailed: 0, listed: 0, words: 1 },
];

/** The explanation of a search for a model, within a limit. The search must have been asked to explain its answer. */
export function briefExplanation(
  answer: SearchAnswer,
  language: Language,
  limit: AnswerLimit,
): TextAnswer<z.output<typeof BRIEF_EXPLANATION_DATA>> {
  const { data: full, ...result } = explanationResult(answer, language);
  for (const extent of EXTENTS) {
    const data = untrusted(shortened(full, extent), language);
    const text = quotedAnswer(({ tag, name }) =>
      `${message(language, "quoted_content", { tag })}\n${
        briefText(data, answer.hits.length, language, name)
      }`
    );
    const isLast = extent === EXTENTS.at(-1);
    const brief = { ...result, data, text };
    if (isLast || sentTokens(brief, limit.shape) <= limit.maxTokens) return brief;
  }
  throw new Error("unreachable");
}
