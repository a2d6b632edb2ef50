import { UserError } from "../errors.ts";
import { type Language, message } from "../messages.ts";

/**
 * Lines that follow the message of an error and say what to do. The contract fixes the words of some messages, so that they
 * cannot name the folder to process, the tool to use instead, or the need for a restart. `read`: name of the tool that reads documents, if the client has it.
 */
export async function hintsOf(error: unknown, language: Language, read?: string): Promise<string[]> {
  if (!(error instanceof UserError)) return [];
  const { added, gone, path, problem, updating } = error.params;
  const hints: string[] = [];
  if (error.key === "index_not_ready") {
    if (gone) hints.push(message(language, "folder_gone", { path: gone }));
    else if (updating) hints.push(String(updating));
    else if (path) {
      hints.push(
        message(language, problem ? "cli_index_damaged_hint" : "cli_index_missing_hint", error.params),
      );
    }
  }
  if (error.key === "not_text" && path && read !== undefined) {
    // Imported here so that a server does not start later because of it.
    const format = (await import("../document/mod.ts")).formatByName(String(path));
    if (format !== undefined) hints.push(message(language, "read_document_instead", { format, read }));
  }
  if (added) hints.push(message(language, "folders_added", { path: added }));
  return hints;
}

/**
 * The message of an error. The contract's words about permissions are for files that the system refuses: for a path outside of the served
 * folders they would send the reader to look at settings that have nothing to do with it.
 */
export function errorMessage({ key, params }: UserError, language: Language): string {
  const { served, path, reason } = params;
  if (key === "no_permission" && served) return message(language, "file_not_served", { served });
  if (key === "no_permission" && reason) {
    return message(language, "file_left_out", { path: shortened(String(path)) });
  }
  return message(
    language,
    key,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        OWN_TEXTS.has(name) || typeof value === "number" ? value : shortened(value),
      ]),
    ),
  );
}

/** Parameters that the program has put together. The others may repeat what a client has sent. */
const OWN_TEXTS: ReadonlySet<string> = new Set(["known", "problems", "served", "updating"]);

/** UTF-16 units of a client's text in a message, which some answers hold twice. */
const MAX_SHOWN_CHARS = 500;

/** The beginning of a text that a client has sent, and the length of the whole; a short text as it is. */
export function shortened(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return text;
  return `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}… (${text.length})`;
}

/** The message of an error and its hints ({@linkcode hintsOf}) as one line, where an answer has no place for several. */
export async function errorLine(error: UserError, language: Language, read?: string): Promise<string> {
  const lines = [errorMessage(error, language), ...await hintsOf(error, language, read)];
  return lines.join(language === "zh" ? "。" : ". ");
}
