/**
 * The command `ask`: updates the indexes, searches them, and has a language model answer from the passages. Without a question on a
 * terminal it takes one after the other.
 */
import type { AskedSentence, EarlierTurn } from "#library/ask/mod.ts";
import { textServer } from "#foundation/consent.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import {
  type Language,
  languageOfText,
  message,
  printable,
  printableText,
} from "#foundation/messages/mod.ts";
import type { LanguageModel } from "#models/language/mod.ts";
import type { Hit, Library } from "#library/search/mod.ts";
import { abortable, EXIT, warnText } from "../context.ts";
import { jsonText, note, printableMessage, warn } from "../say.ts";
import type { Session } from "../request.ts";
import { styleFor } from "../terminal_text.ts";
import { asUsage, questionOf, updatedLibrary } from "./search/search.ts";
import { askedPlaces, pathNames } from "./search/show_hits.ts";

/** `ask [QUESTION...]`: answers a question from the documents, with citations. Fails where the model gives no answer. */
export async function askCommand(session: Session): Promise<number> {
  const { io, flags, operands } = session;
  const typed = operands.join(" ").trim();
  const isLoop = typed === "" && io.terminal.stdin && io.terminal.stdout && !flags.json;
  if (typed === "" && !isLoop) throw new UsageError("ask_question_missing");
  const roots = consentedRoots(session);
  // A wrong question is told before the indexes are updated.
  if (!isLoop) questionOf(typed, flags);
  const library = await updatedLibrary(session, roots);
  try {
    const earlier = (flags.earlier ?? []).map((question): EarlierTurn => ({ question }));
    return isLoop
      ? await conversation(session, library, earlier)
      : await answer(session, library, typed, earlier);
  } finally {
    library.close();
  }
}

/** The folders whose texts may be sent to the model. Throws `UserError` where there is no model, or none may be sent. */
function consentedRoots(session: Session): readonly string[] {
  const { config, roots, consented } = session;
  const server = textServer(config.llm);
  if (server === undefined) throw new UserError("ask_no_model");
  const isAllowed = (root: string) => consented[root]?.includes(server.origin) ?? false;
  const allowed = roots.filter(isAllowed);
  for (const dir of roots) {
    const params = { dir, host: server.host };
    if (isAllowed(dir)) continue;
    if (allowed.length === 0) throw new UserError("llm_consent_missing", params);
    warn(session, "llm_consent_missing", params);
  }
  return allowed;
}

/** Opens the model. Throws `UserError` `ask_no_model`. */
async function answerModel({ languageModels }: Session, roots: readonly string[]): Promise<LanguageModel> {
  const model = await (await languageModels())?.model("llm", roots);
  if (model === undefined) throw new UserError("ask_no_model");
  return model;
}

/** Answers questions until the input ends, each with those before it. */
async function conversation(
  session: Session,
  library: Library,
  history: EarlierTurn[],
): Promise<number> {
  const { io, language, signal } = session;
  note(session, "ask_loop");
  for (;;) {
    io.err("> ");
    const line = (await io.readLine(signal))?.trim();
    signal.throwIfAborted();
    if (!line) {
      if (line === undefined) io.err("\n");
      return EXIT.done;
    }
    try {
      await answer(session, library, line, history);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UserError)) throw error;
      warnText(session, printableMessage(language, error.key, error.params));
    }
  }
}

/** Answers one question, and adds it to the history. */
async function answer(
  session: Session,
  library: Library,
  typed: string,
  history: EarlierTurn[],
): Promise<number> {
  const { io, flags, config, language, log, signal, choice } = session;
  const { answerText, ask, askedData, askRemarks, askSummary, citesPassages, sourceLines } = await import(
    "#library/ask/mod.ts"
  );
  const printer = new SentencePrinter(session, languageOfText(typed));
  const asked = await abortable(
    ask({ ...questionOf(typed, flags), history: [...history] }, {
      library,
      model: () => answerModel(session, library.roots),
      prompts: config.llm.prompts,
      maxOutputTokens: config.llm.max_output_tokens,
      signal,
      traces: session.traces,
      onAsking: (model, count) => {
        if (io.terminal.stderr && !flags.json) note(session, "ask_asking", { model, count });
      },
      ...(!flags.json && { onSentence: (sentence: AskedSentence) => printer.print(sentence) }),
    }),
    signal,
  ).catch(asUsage);
  log.info("ask", { status: asked.status, passages: asked.hits.length, ...asked.usage });
  const code = asked.status === "failed" ? EXIT.failed : EXIT.done;
  history.push({ question: typed, answer: answerText(asked) });
  if (flags.json) {
    await io.out(jsonText({
      code: asked.status === "failed" ? 500 : 200,
      message: askSummary(asked, language),
      data: askedData(asked, language),
    }));
    return code;
  }
  if (printer.isEmpty) { for (const sentence of asked.sentences) await printer.print(sentence); }
  if (!printer.isEmpty) await io.out("\n");
  const spoken = { ...session, language: asked.language };
  for (const text of asked.notices) warnText(session, printable(text));
  for (const text of askRemarks(asked)) warnText(spoken, printable(text));
  const places = askedPlaces(asked.roots ?? library.roots, choice);
  const lines = sourceLines(asked, printable, pathNames(places));
  const { dim } = styleFor(io, "stdout");
  const isNearest = !citesPassages(asked);
  if (lines.length > 0 && !printer.isEmpty) await io.out("\n");
  if (lines.length > 0 && isNearest) {
    await io.out(`${dim(message(asked.language, "ask_nearest"))}\n`);
  }
  await io.out(lines.map((line, i) => `${dim(line)}\n${isNearest ? quoteOf(asked.hits[i]!) : ""}`).join(""));
  // Last, where it is seen.
  if (asked.problem !== undefined) {
    const text = printableMessage(language, asked.problem.key, asked.problem.params);
    io.err(`${styleFor(io, "stderr").red(message(language, "cli_error", { text }))}\n`);
  }
  return code;
}

/** Lines of a passage that are shown below its place where no answer has cited it, and UTF-16 units of one. */
const QUOTE_LINES = 2, QUOTE_CHARS = 160;

/** The first lines of a passage. */
function quoteOf({ content }: Hit): string {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, QUOTE_LINES).map((line, i) => {
    const shown = line.slice(0, QUOTE_CHARS).toWellFormed();
    const isCut = shown.length < line.length || i === QUOTE_LINES - 1 && lines.length > QUOTE_LINES;
    return `   │ ${printableText(shown)}${isCut ? "…" : ""}\n`;
  }).join("");
}

/** Prints sentences with their citations and marks, coloured on a terminal. */
class SentencePrinter {
  readonly #session: Session;
  readonly #language: Language;
  /** Spaces and line ends behind the last sentence, which are printed before the next one. */
  #space = "";
  isEmpty = true;

  /** `language`: that of the answer. */
  constructor(session: Session, language: Language) {
    this.#session = session;
    this.#language = language;
  }

  async print(sentence: AskedSentence): Promise<void> {
    const { io } = this.#session;
    const { behindText } = await import("#library/ask/mod.ts");
    const { dim, red, yellow } = styleFor(io, "stdout");
    const { before, text, verdict } = sentence;
    const { citations, mark, after } = behindText(sentence, this.#language);
    if (text === "") {
      this.#space += before + sentence.after;
      return;
    }
    const paint = verdict === "conflicting" ? red : yellow;
    const marks = `${citations === "" ? "" : dim(citations)}${mark === "" ? "" : paint(printableText(mark))}`;
    const space = this.#space + before;
    await io.out(
      `${printableText(this.isEmpty ? space.trimStart() : space)}${printableText(text)}${marks}`,
    );
    this.isEmpty = false;
    this.#space = after;
  }
}
