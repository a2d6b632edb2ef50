/**
 * Answers a question from the passages of a search, by a language model: each sentence is compared with the passages before it is given on.
 */
import { UserError } from "#foundation/errors.ts";
import { type Language, languageOfText, message } from "#foundation/messages/mod.ts";
import { type LanguageModel, loadPrompt, type Usage } from "#models/language/mod.ts";
import { present } from "#foundation/present.ts";
import type { Span } from "#foundation/span.ts";
import type { Tracer } from "#traces/types.ts";
import type { Hit, Library, SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { AnswerPieces, type Piece } from "./answer_pieces.ts";
import { type AskedSentence, PieceChecker } from "./checked_piece.ts";
import { type EarlierTurn, fittedHits, requestOf } from "./ask_prompt.ts";

/** UTF-16 units of an answer. The rest is left out. */
const MOST_CHARS = 20_000;

/** The part of its time that a model gets to rewrite a question: the answer is waited for after it, and the server may hang. */
const REWRITE_SHARE = 1 / 3;

/** A question, and the search that gives the passages. */
export interface AskRequest extends Omit<SearchRequest, "history"> {
  /** Earlier questions of the same conversation, oldest first. */
  readonly history?: readonly EarlierTurn[] | undefined;
}

/** The part of a language model that answers questions. */
export type AnswerModel = Pick<LanguageModel, "id" | "contextTokens" | "text">;

/** The library, the model and the limits of an answer. */
export interface AskOptions {
  readonly library: Library;
  /** Is opened when there are passages. */
  readonly model: () => Promise<AnswerModel>;
  /** Folder of the user's prompts. */
  readonly prompts: string | null;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Traces questions whose requests have no span. Default: they are not traced. */
  readonly traces?: (() => Promise<Tracer | undefined>) | undefined;
  /** Whether texts of a file may be sent to the model. Default: of all files. */
  readonly mayBeSent?: (filePath: string) => boolean;
  /** Is called before the model is asked. */
  readonly onAsking?: (model: string, passages: number) => void;
  /** Is called with each sentence, as soon as it is complete and compared. */
  readonly onSentence?: (sentence: AskedSentence) => void | Promise<void>;
}

/** The answer to a question. */
export interface AskedAnswer {
  readonly question: string;
  /** The language of the question. */
  readonly language: Language;
  /** `not_in_documents`: the passages do not answer it. `failed`: the model gave no answer, or only its beginning. */
  readonly status: "answered" | "not_in_documents" | "failed";
  readonly sentences: readonly AskedSentence[];
  /** The passages that the model got, numbered from 1; else those that were found. */
  readonly hits: readonly Hit[];
  /** Further passages that were found, which did not fit the model's window. */
  readonly leftOut: number;
  /** The reason of `failed`. */
  readonly problem?: UserError;
  /** The answer was longer than allowed, and its end was left out. */
  readonly isCut?: true;
  /** Absent if no model was asked. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Wall-clock seconds: of the search, until the first sentence, of all. */
  readonly seconds: { readonly search: number; readonly first?: number; readonly total: number };
  /** The remarks of the search. */
  readonly notices: readonly string[];
  /** See {@linkcode SearchAnswer.roots}. */
  readonly roots?: readonly string[];
  /** Id of its trace. Absent if it was not traced. */
  readonly trace?: string;
}

/**
 * Answers a question. Throws what a search throws, and the reason of the signal. A failure of the model is a part of the answer, with the
 * passages that were found.
 */
export async function ask(request: AskRequest, options: AskOptions): Promise<AskedAnswer> {
  const facts = present({ method: "ask", principal: options.library.principal });
  const span = request.span?.child("query", facts) ??
    (await options.traces?.())?.begin("query", facts, { parent: request.traceParent });
  if (span === undefined) return await answerTo(request, options);
  span.add({}, { question: request.query });
  try {
    const asked = await answerTo(request, options, span);
    const { status, hits, sentences, leftOut } = asked;
    span.add({ status, counts: { hits: hits.length, sentences: sentences.length, leftOut } });
    span.end(asked.problem);
    return { ...asked, trace: span.trace };
  } catch (error) {
    span.end(error);
    throw error;
  }
}

async function answerTo(request: AskRequest, options: AskOptions, span?: Span): Promise<AskedAnswer> {
  const { library, signal } = options;
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const { history = [], ...search } = request;
  const questions = history.map(({ question }) => question);
  const asking = { ...search, history: questions, rewriteShare: REWRITE_SHARE, span };
  const all = await library.search(asking, signal);
  const { mayBeSent = () => true } = options;
  const found = { ...all, hits: all.hits.filter(({ filePath }) => mayBeSent(filePath)) };
  const searchSeconds = seconds();
  const language = languageOfText(request.query);
  const common = present({ question: request.query, language, notices: found.notices, roots: found.roots });
  const timesAt = (first?: number) => present({ search: searchSeconds, first, total: seconds() });
  if (!mayAnswer(found, history)) {
    return {
      ...common,
      status: "not_in_documents",
      sentences: [plainSentence(message(language, "ask_not_in_documents"))],
      hits: found.hits,
      leftOut: 0,
      seconds: timesAt(),
    };
  }

  const ending = new AbortController();
  const stop = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  let hits = found.hits;
  let first: number | undefined;
  let model: AnswerModel | undefined;
  let usage: Usage | undefined;
  let problem: UserError | undefined;
  const sentences: AskedSentence[] = [];
  const pieces = new AnswerPieces(MOST_CHARS);
  const answering = span?.child("answer", { method: "llm" });
  try {
    model = await options.model();
    answering?.add({ provider: model.id });
    const asked = {
      question: request.query,
      history,
      prompt: await loadPrompt("answer", language, options.prompts),
    };
    hits = fittedHits(found.hits, { ...asked, window: model.contextTokens - options.maxOutputTokens });
    const checker = new PieceChecker(library, request.query, hits, message(language, "ask_link_removed"));
    const give = async (piece: Piece) => {
      stop.throwIfAborted();
      const checking = answering?.child("check", { method: "support" });
      const sentence = await checker.check(piece, stop);
      checking?.add({ verdict: sentence?.verdict }, { sentence: sentence?.text });
      checking?.end();
      if (sentence === undefined) return;
      stop.throwIfAborted();
      first ??= seconds();
      sentences.push(sentence);
      await options.onSentence?.(sentence);
    };
    let giving = Promise.resolve();
    const giveAll = (complete: readonly Piece[]) => {
      for (const piece of complete) giving = giving.then(() => give(piece));
      // The error is thrown below; until then the model must stop.
      giving.catch((error) => ending.abort(error));
    };
    options.onAsking?.(model.id, hits.length);
    let isStreamed = false;
    const answered = await model.text(
      {
        task: "answer",
        ...requestOf({ ...asked, hits }),
        maxOutputTokens: options.maxOutputTokens,
        signal: stop,
      },
      (part) => {
        isStreamed = true;
        giveAll(pieces.add(part));
      },
    ).catch(async (error) => {
      // Sentences that were complete before stay.
      await giving;
      throw error;
    });
    usage = answered.usage;
    if (!isStreamed) giveAll(pieces.add(answered.value));
    giveAll(pieces.end());
    await giving;
    if (!sentences.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) throw new UserError("ask_empty_answer");
  } catch (error) {
    signal?.throwIfAborted();
    if (ending.signal.aborted) throw ending.signal.reason;
    if (!(error instanceof UserError)) throw error;
    problem = error;
  }
  answering?.add({ counts: { passages: hits.length, sentences: sentences.length }, usage });
  answering?.end(problem);
  return present({
    ...common,
    status: problem !== undefined
      ? "failed" as const
      : isRefusal(sentences)
      ? "not_in_documents" as const
      : "answered" as const,
    sentences,
    hits,
    leftOut: found.hits.length - hits.length,
    problem,
    isCut: pieces.isCut || undefined,
    model: model?.id,
    usage,
    seconds: timesAt(first),
  });
}

/** Whether passages of a search may answer its question. A follow-up question may have no word of its own. */
function mayAnswer({ hits }: SearchAnswer, history: readonly EarlierTurn[]): boolean {
  return history.length > 0 ? hits.length > 0 : hits.some(({ degree }) => degree !== "low");
}

/** A sentence of the program's own. */
function plainSentence(text: string): AskedSentence {
  return { text, before: "", after: "", citations: [] };
}

const DOCUMENTS = /\b(?:documents?|passages?|sources?|files?|texts?)\b|文档|文件|资料|材料|片段|原文/iu;

/** Whether an answer only says that the documents do not say it. */
function isRefusal(sentences: readonly AskedSentence[]): boolean {
  return sentences.every(({ verdict }) => verdict === undefined) &&
    sentences.some(({ text }) => DOCUMENTS.test(text));
}
