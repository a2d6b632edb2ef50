import { message, printable } from "../../../messages.ts";
import type { SearchAnswer } from "../../../search/mod.ts";
import { warn } from "../../context.ts";
import { showsLinks } from "../../hyperlinks.ts";
import { jsonText } from "../../json.ts";
import type { HitFormat } from "../../options.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import { askedLine, withAsked } from "./asked.ts";
import { hitsText } from "./hits_text.ts";
import { markdownText } from "./markdown.ts";
import { screenText } from "./screen.ts";
import { pathNames } from "./shown_path.ts";

/** Prints the answer of a search in the form that the flags ask for. `asked`: full paths of the folders that were asked. */
export async function printHits(
  session: Session,
  answer: SearchAnswer,
  asked: readonly string[],
): Promise<void> {
  const { io, language, flags: { json, format = json ? "json" : "text" } } = session;
  if (format === "json") {
    const { searchResult } = await import("../../../answer/mod.ts");
    await io.out(jsonText(withAsked(searchResult(answer, language), asked, session)));
    return;
  }
  if (answer.hits.length > 0) await io.out(textOf(session, answer, asked, format));
  // Programs and pages get no sentences beside the hits.
  if (format !== "text") return;
  if (answer.hits.length === 0) await io.out(`${message(language, "no_match")}\n`);
  await io.out(askedLine(asked, session));
}

function textOf(
  session: Session,
  answer: SearchAnswer,
  asked: readonly string[],
  format: Exclude<HitFormat, "json">,
): string {
  const { io, language, flags: { fullText = false, context } } = session;
  const nameOf = pathNames(asked);
  if (format === "paths") return pathsText(session, answer);
  if (format === "md") return markdownText(answer, { language, nameOf, context });
  const links = showsLinks(io);
  if (!io.terminal.stdout) return hitsText(answer, { language, nameOf, context, links });
  return screenText(answer, {
    language,
    style: styleFor(io, "stdout"),
    columns: io.terminal.columns,
    links,
    nameOf,
    fullText,
    context,
  });
}

/**
 * The full paths of the files, each once. A path with a line break would be read as two paths, of which the second may be
 * any file, so it is left out.
 */
function pathsText(session: Session, { hits }: SearchAnswer): string {
  const shown = session.io.terminal.stdout ? printable : (path: string) => path;
  const paths = [...new Set(hits.map(({ filePath }) => filePath))].filter((path) => {
    const isOneLine = !/[\r\n]/.test(path);
    if (!isOneLine) warn(session, "cli_path_with_line_break", { path });
    return isOneLine;
  });
  return paths.map((path) => `${shown(path)}\n`).join("");
}
