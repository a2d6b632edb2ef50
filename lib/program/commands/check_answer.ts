/**
 * The command `check-answer`: compares each sentence of an answer with files, or with the passages that a search of the indexes finds.
 */
import { basename } from "node:path";
import { CHECK_LIMITS, checkAnswer, type GivenPassage, openLibrary } from "#library/search/mod.ts";
import { checkedAnswer, checkSummary, sentenceLines } from "#library/answer/mod.ts";
import { fileError, readNamed, statNamed } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { printable } from "#foundation/messages/mod.ts";
import { abortable, EXIT, warnText } from "../context.ts";
import { libraryModels } from "../session_models.ts";
import { jsonText, printableErrorText } from "../say.ts";
import type { Session } from "../request.ts";
import { styleFor } from "../terminal_text.ts";

/** `check-answer ANSWER`: checks an answer. Fails where a sentence is not supported. The indexes are searched as they are. */
export async function checkAnswerCommand(session: Session): Promise<number> {
  const { io, flags, config, language, roots, ownPlaces, signal } = session;
  const answer = await answerText(session);
  const passages: GivenPassage[] = [];
  for (const [i, filePath] of (flags.passages ?? []).entries()) {
    passages.push({ filePath, text: await abortable(fileText(session, session.named[i]!), signal) });
  }
  const library = openLibrary(roots, config, {
    key: session.indexKey,
    indexDirs: session.indexDirs,
    models: passages.length > 0 ? undefined : await session.models(),
    ownPlaces,
    below: new Map(Object.entries(session.choice.below)),
    extractor: session.extractor,
    ...libraryModels(session),
    rewriter: undefined,
    isKept: () => false,
  });
  try {
    const request = { answer, passages, question: flags.question };
    const checked = await abortable(checkAnswer(library, request, signal), signal);
    if (flags.json) {
      const { text: _, ...printed } = checkedAnswer(checked, language, {
        shape: "structured",
        maxTokens: Infinity,
      });
      await io.out(jsonText(printed));
    } else {
      for (const text of checked.notices) warnText(session, printable(text));
      const { bold, green, red, yellow } = styleFor(io, "stdout");
      const paint = { supported: green, conflicting: red, "not_found": yellow };
      const lines = checked.sentences.flatMap((sentence) => {
        const [head = "", ...others] = sentenceLines(sentence, { name: printable }, language);
        return [paint[sentence.verdict](head), ...others];
      });
      await io.out([...lines, bold(checkSummary(checked, language))].map((line) => `${line}\n`).join(""));
    }
    return checked.sentences.every(({ verdict }) => verdict === "supported") ? EXIT.done : EXIT.failed;
  } finally {
    library.close();
  }
}

/** The answer: the operand itself, the text of the file that it names, or stdin. */
async function answerText(session: Session): Promise<string> {
  const { io, flags, operands, named, signal } = session;
  const [operand = ""] = operands;
  if (operand === "-") return await abortable(io.readText(CHECK_LIMITS.answer, signal), signal);
  const path = named[(flags.passages ?? []).length];
  return path === undefined ? operand : await abortable(fileText(session, path), signal);
}

/** The text of a document of any format. */
async function fileText({ config, extractor, language, signal }: Session, path: string): Promise<string> {
  const { encoding, max_file_mb: limit } = config.files;
  try {
    const { size, isFile } = await statNamed(path);
    if (!isFile) throw new UserError("not_a_file", { path });
    if (size > limit * 1_000_000) {
      throw new UserError("file_too_large", { path, size: size / 1_000_000, limit });
    }
    const file = { path: basename(path), ...(encoding === "auto" ? {} : { encoding }) };
    return (await extractor.read(await readNamed(path), file)).document.text;
  } catch (error) {
    signal.throwIfAborted();
    const reason = printableErrorText(fileError(error, path), language, false);
    throw new UserError("eval_unreadable", { path, reason }, { cause: error });
  }
}
