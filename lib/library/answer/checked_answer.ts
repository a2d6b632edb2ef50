/** The answer with the sentences that were checked: each with its verdict, the reason, and the quoted passage. */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { AnswerSentence, CheckedAnswer, QuotedPlace } from "#library/search/mod.ts";
import { quotedAnswer, type Quotes, untrusted } from "./quoted.ts";
import { type AnswerLimit, isWithin, type TextAnswer } from "./shape.ts";

/** Shape of `data` in the answer of `verify_answer`, as far as it is declared. */
export const CHECKED_DATA = z.looseObject({
  sentences: z.array(z.looseObject({ text: z.string(), verdict: z.string() })),
});

const VERDICTS = ["supported", "conflicting", "not_found"] as const;

/** UTF-16 units of a quoted sentence in an answer. */
const QUOTE_CHARS = 400;

/** A sentence with its verdict costs more tokens. */
const LEAST_TOKENS = 8;

/**
 * Returns the checked sentences in their order, within a limit: first the quotations of supported sentences are left out, then these
 * sentences, then the last of the others.
 */
export function checkedAnswer(checked: CheckedAnswer, language: Language, limit: AnswerLimit) {
  const others = checked.sentences.filter(({ verdict }) => verdict !== "supported");
  const bare = checked.sentences.map((sentence) =>
    sentence.verdict === "supported" ? { ...sentence, quote: undefined } : sentence
  );
  const most = Math.floor(limit.maxTokens / LEAST_TOKENS);
  for (const shown of [checked.sentences, bare, others]) {
    if (shown.length > most) continue;
    const answer = answerOf(checked, shown, language);
    if (isWithin(answer, limit)) return answer;
  }
  for (let count = Math.min(others.length, most);; count = Math.floor(count * 0.8)) {
    const answer = answerOf(checked, others.slice(0, count), language);
    if (count === 0 || isWithin(answer, limit)) return answer;
  }
}

type Shown = Omit<AnswerSentence, "quote"> & { readonly quote?: string | undefined };

function answerOf(
  checked: CheckedAnswer,
  shown: readonly Shown[],
  language: Language,
): TextAnswer<z.output<typeof CHECKED_DATA>> {
  const { passages, unknownChunks, notices, model } = checked;
  const omitted = checked.sentences.length - shown.length;
  const summary = checkSummary(checked, language);
  return {
    code: 200,
    message: summary,
    data: untrusted(
      present({
        summary,
        ...countsOf(checked),
        sentences: shown.map(sentenceData),
        omitted: omitted > 0 ? omitted : undefined,
        passages,
        checked_by: model,
        unknown_chunks: unknownChunks.length > 0 ? unknownChunks : undefined,
        notices: notices.length > 0 ? notices : undefined,
      }),
      language,
    ),
    text: quotedAnswer((quotes) =>
      [
        summary,
        ...unknownLines(checked, quotes, language),
        ...(shown.length > 0 ? [message(language, "quoted_content", { tag: quotes.tag })] : []),
        ...shown.map((sentence) => `\n${sentenceLines(sentence, quotes, language).join("\n")}`),
        ...(omitted > 0 ? ["", message(language, "check_omitted", { count: omitted })] : []),
      ].join("\n")
    ),
  };
}

function sentenceData({ text, verdict, reason, claimed, found, statements, quote, source, score }: Shown) {
  return present({
    text,
    verdict,
    reason,
    claimed,
    found,
    statements,
    quote: quote === undefined ? undefined : cut(quote),
    source: source && sourceData(source),
    score: Math.round(score * 1000) / 1000,
  });
}

/** Returns the data of the place that a sentence is supported or contradicted by. */
export function sourceData(source: QuotedPlace) {
  const { passage, filePath, chunkId, page } = source;
  return present({ passage, file_path: filePath, chunk_id: chunkId, lines: linesText(source), page });
}

function countsOf({ sentences }: Pick<CheckedAnswer, "sentences">) {
  const count = (wanted: string) => sentences.filter(({ verdict }) => verdict === wanted).length;
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<
    typeof VERDICTS[number],
    number
  >;
}

/** Returns one sentence that sums up the verdicts. */
export function checkSummary(checked: CheckedAnswer, language: Language): string {
  const count = checked.sentences.length;
  if (count === 0) return message(language, "check_nothing");
  if (checked.passages === 0) return message(language, "check_no_passages", { count });
  const { supported, conflicting, not_found: missing } = countsOf(checked);
  if (supported === count) return message(language, "check_all_supported", { count });
  return message(language, "check_summary", { count, supported, conflicting, missing });
}

/** Lines about ids that are unknown. */
function unknownLines(
  { unknownChunks }: Pick<CheckedAnswer, "unknownChunks">,
  { name }: Pick<Quotes, "name">,
  language: Language,
): string[] {
  if (unknownChunks.length === 0) return [];
  const comma = message(language, "list_comma");
  return [message(language, "check_unknown_chunks", { ids: unknownChunks.map(name).join(comma) })];
}

/** Returns the lines about a sentence: the verdict and the sentence, what differs, the place and the quotation. */
export function sentenceLines(
  { text, verdict, reason, claimed, found, quote, source }: Shown,
  { name }: Pick<Quotes, "name">,
  language: Language,
): string[] {
  const label = message(language, `check_${verdict}`);
  const why = reason === "coverage" ? "" : message(language, `check_reason_${reason}`);
  const head = why === "" ? label : message(language, "check_verdict", { verdict: label, reason: why });
  const difference = claimed === undefined
    ? []
    : found === undefined
    ? [`  ${message(language, "check_claimed", { claimed: name(claimed) })}`]
    : [`  ${message(language, "check_found", { claimed: name(claimed), found: name(found) })}`];
  const place = source === undefined || quote === undefined
    ? []
    : [`  ${placeText(source, name, language)}${message(language, "check_colon")}${name(cut(quote))}`];
  return [`${head}${message(language, "check_colon")}${name(text)}`, ...difference, ...place];
}

function placeText(source: QuotedPlace, name: (text: string) => string, language: Language): string {
  const { passage, filePath } = source;
  if (filePath !== undefined) return name(`${filePath}:${linesText(source)}`);
  return message(language, "check_passage", { number: passage ?? 1, lines: linesText(source) });
}

/** `12` or `12-20` */
export function linesText({ startLine, endLine }: Pick<QuotedPlace, "startLine" | "endLine">): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

function cut(quote: string): string {
  return quote.length <= QUOTE_CHARS ? quote : `${quote.slice(0, QUOTE_CHARS).toWellFormed()}…`;
}
