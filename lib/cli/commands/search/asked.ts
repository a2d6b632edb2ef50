import { join } from "node:path";
import { message } from "../../../messages.ts";
import { configurationData } from "../../configuration.ts";
import type { FolderChoice } from "../../folder_choice.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";

/** Folders that a text names. */
const MOST_NAMED = 5;

/** The folders that were searched, or the folders in them to which the search was limited. */
export function askedPlaces(roots: readonly string[], { below }: Pick<FolderChoice, "below">): string[] {
  return roots.flatMap((root) => below[root]?.map((path) => join(root, path)) ?? [root]);
}

/** The answer for `--json` with the folders that were searched, and the configuration in effect. */
export function withAsked<D extends object>(
  answer: { readonly data: D },
  asked: readonly string[],
  session: Session,
): object {
  return { ...answer, data: { ...answer.data, searched: asked, ...configurationData(session) } };
}

/** A line that names the folders that were searched; empty where the command line names them. */
export function askedLine(
  asked: readonly string[],
  { io, language, choice }: Pick<Session, "io" | "language" | "choice">,
): string {
  if (choice.by === "name") return "";
  const params = {
    count: asked.length,
    dirs: asked.slice(0, MOST_NAMED).join(message(language, "list_comma")),
    more: asked.length - MOST_NAMED,
  };
  const text = printableMessage(language, params.more > 0 ? "cli_searched_many" : "cli_searched", params);
  const hint = choice.by === "here" ? message(language, "cli_searched_here") : "";
  return `${styleFor(io, "stdout").dim(`${text}${hint}`)}\n`;
}
