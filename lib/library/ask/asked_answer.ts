/** The answer to a question as text and as data: its sentences with their citations and marks, the passages, and what it took. */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import {
  type AnswerLimit,
  citationData,
  errorMessage,
  isWithin,
  linesText,
  pageTexts,
  quotedAnswer,
  type Quotes,
  sourceData,
  type TextAnswer,
  untrusted,
} from "#library/answer/mod.ts";
import type { Hit } from "#library/search/mod.ts";
import type { AskedAnswer } from "./ask.ts";
import type { AskedSentence } from "./checked_piece.ts";
import { shownText } from "./shown_text.ts";

/** Shape of `data` in the answer of `ask`, as far as it is declared. */
export const ASKED_DATA = z.looseObject({
  answer: z.string(),
  citations: z.array(z.looseObject({ id: z.int(), source: z.string() })),
});

/** UTF-16 units of a value in a mark. */
const VALUE_CHARS = 60;

/** Returns the mark behind a sentence that is not supported; empty for the others. */
function markOf({ verdict, reason, claimed, found }: AskedSentence, language: Language): string {
  if (verdict === undefined || verdict === "supported") return "";
  if (reason === "instruction") return message(language, "ask_mark_instruction");
  const value = (text: string) => {
    const { text: shown } = shownText(text, "…");
    return shown.length <= VALUE_CHARS ? shown : `${shown.slice(0, VALUE_CHARS).toWellFormed()}…`;
  };
  if (verdict === "conflicting") {
    return found === undefined
      ? message(language, "ask_mark_conflicting")
      : message(language, "ask_mark_conflicting_with", { found: value(found) });
  }
  return reason === "coverage" || claimed === undefined
    ? message(language, "ask_mark_not_found")
    : message(language, "ask_mark_value_not_found", { claimed: value(claimed) });
}

/**
 * Returns what stands behind the text of a sentence: its citations `[1][2]` and its mark, each with the space before it, and the space before
 * the next sentence. Chinese marks bring their own space.
 */
export function behindText(
  sentence: AskedSentence,
  language: Language,
): Readonly<Record<"citations" | "mark" | "after", string>> {
  const { text, after } = sentence;
  const numbers = sentence.citations.map((number) => `[${number}]`).join("");
  const citations = numbers === ""
    ? ""
    : `${/[\u3000-\u303f\uff00-\uffef]$/.test(text) ? "" : " "}${numbers}`;
  const said = markOf(sentence, language);
  const mark = said === "" || /^\uff08/.test(said) ? said : ` ${said}`;
  return { citations, mark, after: after === "" && /[\])]$/.test(citations + mark) ? " " : after };
}

/** The whole text of an answer, with citations and marks, all in the language of the question. */
export function answerText({ sentences, language }: Pick<AskedAnswer, "sentences" | "language">): string {
  return sentences.map((sentence) => {
    const { citations, mark, after } = behindText(sentence, language);
    return `${sentence.before}${sentence.text}${citations}${mark}${after}`;
  }).join("").trim();
}

/** Whether an answer cites passages. One that cites none is shown with all that were found. */
export function citesPassages({ status, sentences }: AskedAnswer): boolean {
  return status === "answered" && sentences.some(({ citations }) => citations.length > 0);
}

/** The numbers of the passages that are shown with an answer. */
function citedIn(asked: AskedAnswer): number[] {
  const all = asked.hits.map((_, i) => i + 1);
  if (!citesPassages(asked)) return all;
  const cited = new Set(asked.sentences.flatMap(({ citations }) => citations));
  return all.filter((number) => cited.has(number));
}

/** Returns sentences about an answer as a whole, in its language: what was removed from it, or left out of it. */
export function askRemarks({ sentences, leftOut, isCut, language }: AskedAnswer): string[] {
  const unknown = [...new Set(sentences.flatMap(({ unknownCitations = [] }) => unknownCitations))];
  const links = sentences.reduce((sum, { links = 0 }) => sum + links, 0);
  const unsupported =
    sentences.filter(({ verdict }) => verdict !== undefined && verdict !== "supported").length;
  return [
    ...(unsupported === 0 ? [] : [message(language, "ask_unsupported", { count: unsupported })]),
    ...(unknown.length === 0
      ? []
      : [message(language, "ask_unknown_citations", { numbers: unknown.map((n) => `[${n}]`).join(" ") })]),
    ...(links === 0 ? [] : [message(language, "ask_links_removed", { count: links })]),
    ...(isCut ? [message(language, "ask_cut")] : []),
    ...(leftOut === 0 ? [] : [message(language, "ask_left_out", { count: leftOut })]),
  ];
}

/** Returns one sentence about an answer, for the person at the program: why the model gave none, or whether it has one. */
export function askSummary({ status, problem }: AskedAnswer, language: Language): string {
  if (problem !== undefined) {
    return message(language, "ask_failed", { text: errorMessage(problem, language) });
  }
  return message(language, status === "answered" ? "ask_done" : "ask_none");
}

/** Returns the lines about the cited passages: number, path and lines, page, headings. */
export function sourceLines(
  asked: AskedAnswer,
  name: (text: string) => string,
  nameOf: (path: string) => string = (path) => path,
): string[] {
  const { hits, language } = asked;
  return citedIn(asked).map((number) =>
    `[${number}] ${name(placeText(hits[number - 1]!, language, nameOf))}`
  );
}

function placeText(hit: Hit, language: Language, nameOf: (path: string) => string): string {
  const place = [...pageTexts(hit, language), ...(hit.section.length > 0 ? [hit.section.join(" > ")] : [])];
  return [`${nameOf(hit.filePath)}:${linesText(hit)}`, ...place].join("  ");
}

/** Returns the answer within a limit: with the texts of the cited passages if they fit. */
export function askedAnswer(asked: AskedAnswer, language: Language, limit: AnswerLimit) {
  const whole = answerOf(asked, language, true);
  return isWithin(whole, limit) ? whole : answerOf(asked, language, false);
}

function answerOf(
  asked: AskedAnswer,
  language: Language,
  withTexts: boolean,
): TextAnswer<z.output<typeof ASKED_DATA>> {
  const answer = answerText(asked);
  const remarks = askRemarks(asked);
  return {
    code: 200,
    message: askSummary(asked, language),
    data: untrusted(askedData(asked, language, withTexts), language),
    text: quotedAnswer((quotes) => askedText(asked, { answer, remarks, withTexts }, quotes, language)),
  };
}

interface AskedText {
  readonly answer: string;
  readonly remarks: readonly string[];
  readonly withTexts: boolean;
}

function askedText(
  asked: AskedAnswer,
  { answer, remarks, withTexts }: AskedText,
  quotes: Quotes,
  language: Language,
): string {
  const cited = citedIn(asked);
  const passages = cited.map((number) => {
    const hit = asked.hits[number - 1]!;
    const place = `[${number}] ${quotes.name(placeText(hit, asked.language, (path) => path))}`;
    return withTexts ? `${place}\n${quotes.text(hit.content)}` : place;
  });
  return [
    message(language, "quoted_content", { tag: quotes.tag }),
    ...(asked.status === "failed" ? [askSummary(asked, language)] : []),
    ...(answer === "" ? [] : [quotes.text(answer)]),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => quotes.name(remark)).join("\n")]),
    ...passages,
  ].join("\n\n");
}

/** The data of an answer: what `--json` prints. */
export function askedData(asked: AskedAnswer, language: Language, withTexts = true) {
  const { status, sentences, hits, problem, isCut, leftOut, model, usage, seconds, notices } = asked;
  const remarks = askRemarks(asked);
  return present({
    status,
    answer: answerText(asked),
    sentences: sentences.map((sentence) => sentenceData(sentence, asked.language)),
    citations: citedIn(asked).map((number) => {
      const { text, ...citation } = citationData(hits[number - 1]!, number - 1);
      return withTexts ? { ...citation, text } : citation;
    }),
    problem: problem && { kind: problem.key, message: errorMessage(problem, language) },
    remarks: remarks.length > 0 ? remarks : undefined,
    cut: isCut,
    left_out: leftOut > 0 ? leftOut : undefined,
    model,
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      estimated: usage.isEstimated,
      calls: usage.calls,
    },
    seconds: Object.fromEntries(
      Object.entries(seconds).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
    ),
    notices: notices.length > 0 ? notices : undefined,
  });
}

function sentenceData(sentence: AskedSentence, language: Language) {
  const { text, verdict, reason, claimed, found, quote, source, citations } = sentence;
  const { unknownCitations, wrongCitations, links } = sentence;
  const mark = markOf(sentence, language);
  return present({
    text,
    verdict,
    reason,
    claimed,
    found,
    citations,
    mark: mark === "" ? undefined : mark,
    quote,
    source: source && sourceData(source),
    unknown_citations: unknownCitations,
    wrong_citations: wrongCitations,
    links_removed: links,
  });
}
