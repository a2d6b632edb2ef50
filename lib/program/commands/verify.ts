/**
 * The command `verify`: checks each index, compares it with its folder,
 * and prints a verdict with the findings.
 */
import { collectionOf } from "#foundation/configuration/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import { type FolderCheck, verifyFolder } from "#library/ingest/mod.ts";
import { type Language, message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import { abortable, EXIT } from "../context.ts";
import { errorText, printableMessage, printJson } from "../say.ts";
import { formatBytes, startProgress } from "../progress.ts";
import { present } from "#foundation/present.ts";
import type { Session } from "../request.ts";
import { type Style, styleFor } from "../terminal_text.ts";
import { failuresText, folderTitle, indexTodo, type Row, table } from "../output.ts";

/**
 * `verify [--deep]`: checks the index of each folder and compares it with the folder. Exit code 1 if an index is missing,
 * cannot be used, is damaged, or has other contents than the files; files that are merely newer are no failure.
 */
export async function verify(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  const checks: ShownCheck[] = [];
  for (const root of roots) {
    const { name: collection } = collectionOf(session.config, root) ?? {};
    checks.push({ ...present({ collection }), ...await checkOf(session, root) });
  }
  const allSound = checks.every(isSound);
  if (flags.json) {
    const text = message(language, allSound ? "cli_verify_ok" : "cli_verify_problem");
    await printJson(session, { folders: checks }, text, allSound ? 200 : 500);
  } else {
    const style = styleFor(io, "stdout");
    await io.out(checks.map((check) => verifyText(check, language, style)).join("\n"));
  }
  return allSound ? EXIT.done : EXIT.failed;
}

async function checkOf(session: Session, root: string): Promise<ShownCheck> {
  const { config, flags, language, log, signal } = session;
  using progress = await startProgress(session, root);
  try {
    const options = { deep: flags.deep ?? false, onProgress: progress.update, signal };
    return await abortable(verifyFolder(root, config, session, options), signal);
  } catch (error) {
    signal.throwIfAborted();
    return { root, state: "unusable", detail: errorText(error, language, log.problem === undefined) };
  }
}

/** Files that are named for each problem. */
const FILES_SHOWN = 20;

/** The check of a folder; `unusable` where the folder or its index could not be read. */
type ShownCheck =
  & Omit<FolderCheck, "state" | "busy">
  & {
    readonly state: FolderCheck["state"] | "unusable";
    readonly busy?: boolean;
    readonly collection?: string;
  };

/** Whether a check found no fault. Files that are newer than the index are not a fault. */
function isSound({ state }: ShownCheck): boolean {
  return state === "sound" || state === "behind";
}

/** Lines of `verify` about one folder: the verdict first, then the findings. */
function verifyText(check: ShownCheck, language: Language, style: Style): string {
  const { root, state, detail, busy, stale, stalePaths = [], compared, differing = [], unreadable = [] } =
    check;
  const colour = state === "sound" ? style.green : state === "behind" ? style.yellow : style.red;
  const isHere = check.filesElsewhere === undefined;
  const verdict = state === "sound" && !isHere ? "cli_verify_index_sound" : `cli_verify_${state}` as const;
  const rows: Row[] = [["cli_verify_verdict", colour(message(language, verdict))]];
  const add = (label: MessageKey, key: MessageKey, params: Record<string, string | number> = {}) => {
    rows.push([label, printableMessage(language, key, params)]);
  };
  if (detail !== undefined) rows.push(["cli_detail", printable(detail)]);
  if (busy) rows.push(["cli_busy", message(language, "cli_yes")]);
  if (check.store !== undefined) rows.push(["cli_store", printable(check.store)]);
  if (stale !== undefined || !isHere) {
    const { files = 0, chunks = 0, indexBytes = 0 } = check;
    add("cli_verify_index", "cli_verify_index_checked", { files, chunks, size: formatBytes(indexBytes) });
  }
  if (!isHere) add("cli_verify_folder", "cli_files_elsewhere");
  if (stale !== undefined) {
    const isSame = stale.new + stale.changed + stale.removed === 0;
    add("cli_verify_folder", isSame ? "cli_verify_folder_same" : "cli_stale_some", stale);
  }
  if (compared !== undefined) {
    const same = compared - differing.length;
    const key = same === compared ? "cli_verify_contents_same" : "cli_verify_contents_differ";
    add("cli_verify_contents", key, { same, count: differing.length });
  }
  if (check.generated !== undefined) {
    const { results, damaged } = check.generated;
    const key = damaged === 0 ? "cli_verify_generated_sound" : "cli_verify_generated_damaged";
    add("cli_language_model", key, { results, damaged });
  }
  // The next run leaves an index alone that was made with other settings.
  const isOther = state === "behind" && detail !== undefined;
  const todo = indexTodo(root, isOther ? "other settings" : state, language);
  if (todo !== undefined) rows.push(["cli_todo", todo]);
  const failures = [
    ...differing.map((path) => ({ path, reason: message(language, "cli_verify_file_differs") })),
    ...unreadable,
  ];
  const newer = stalePaths.map((path) => `  ${style.yellow("!")} ${printable(path)}\n`);
  const total = stale === undefined ? 0 : stale.new + stale.changed + stale.removed;
  return `${style.bold(folderTitle(root, check.collection, language))}\n${table(rows, language)}${
    failuresText(failures.slice(0, FILES_SHOWN), style)
  }${more(failures.length - FILES_SHOWN, language)}${newer.join("")}${more(total - newer.length, language)}`;
}

function more(count: number, language: Language): string {
  return count > 0 ? `  … ${message(language, "cli_and_more", { count })}\n` : "";
}
