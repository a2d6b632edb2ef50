/**
 * The command `why-not`: takes a file or a sentence through the gates of a search, and prints the first one that stopped it.
 * The indexes are searched as they are.
 */
import { openLibrary, type WhyNotRequest } from "#library/search/mod.ts";
import { whyNotAnswer, type WhyNotData } from "#library/answer/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import { message, printable } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { abortable, EXIT } from "../context.ts";
import type { Session } from "../request.ts";
import { jsonText } from "../say.ts";
import { displayWidth, type Style, styleFor } from "../terminal_text.ts";
import { asUsage, questionOf } from "./search/search.ts";
import { askedPlaces, pathNames, withAsked } from "./search/show_hits.ts";

/** `why-not QUESTION FILE`: fails where the file is not in the answer. */
export async function whyNotCommand(session: Session): Promise<number> {
  const { io, flags, config, language, roots, ownPlaces, signal } = session;
  const request = requestOf(session);
  const library = openLibrary(roots, config, {
    key: session.indexKey,
    indexDirs: session.indexDirs,
    models: await session.models(),
    languageModel: async (task, roots) => await (await session.languageModels())?.forTask(task, roots),
    ownPlaces,
    below: new Map(Object.entries(session.choice.below)),
    isKept: () => false,
  });
  try {
    const result = await abortable(library.whyNot(request, signal), signal).catch(asUsage);
    const asked = askedPlaces(library.roots, session.choice);
    if (flags.json) await io.out(jsonText(withAsked(whyNotAnswer(result, language), asked, session)));
    else {
      const { data } = whyNotAnswer(result, language, pathNames(library.roots));
      await io.out(gatesText(data, pathNames(library.roots), styleFor(io, "stdout"), language));
    }
    return result.gate === "shown" ? EXIT.done : EXIT.failed;
  } finally {
    library.close();
  }
}

/** Throws `UsageError`. */
function requestOf({ flags, operands, named }: Session): WhyNotRequest {
  const [question = "", file, ...others] = operands;
  if (others.length > 0) throw new UsageError("cli_why_not_many");
  const { text, chunk } = flags;
  if (file === undefined && text === undefined && chunk === undefined) {
    throw new UsageError("why_not_nothing");
  }
  return present({ search: questionOf(question, flags), path: named[0] ?? file, text, chunk });
}

/** The gates one below the other: those that were passed, and the one that stopped it with what to do. */
function gatesText(
  { passed, gate, name, text, hint, path, place }: WhyNotData,
  nameOf: (path: string) => string,
  { bold, dim, green, red }: Style,
  language: Session["language"],
): string {
  const title = place === undefined
    ? path === undefined ? [] : [printable(nameOf(path))]
    : [`${printable(nameOf(place.path))}:${place.startLine}-${place.endLine}`];
  const width = Math.max(...[...passed.map(({ name }) => name), name].map(displayWidth));
  const line = (mark: string, name: string, text: string) =>
    `  ${mark} ${name}${" ".repeat(width - displayWidth(name))}  ${printable(text)}`.trimEnd();
  const isShown = gate === "shown";
  const lines = [
    ...title.map(bold),
    ...passed.map(({ name, text }) => dim(line("✓", name, text))),
    (isShown ? green : red)(line(isShown ? "✓" : "✗", name, text)),
    ...(isShown ? [] : [message(language, "why_not_todo", { hint: printable(hint) })]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
