import type { FolderCheck } from "../../../ingest/mod.ts";
import { type Language, message, type MessageKey, printable } from "../../../messages.ts";
import { formatBytes } from "../../format.ts";
import { indexTodo } from "../../index_todo.ts";
import { failuresText, folderTitle, type Row, table } from "../../output.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Style } from "../../style.ts";

/** Files that are named for each problem. */
const FILES_SHOWN = 20;

/** The check of a folder; `unusable` where the folder or its index could not be read. */
export type ShownCheck =
  & Omit<FolderCheck, "state" | "busy">
  & {
    readonly state: FolderCheck["state"] | "unusable";
    readonly busy?: boolean;
    readonly collection?: string;
  };

/** Whether a check found no fault. Files that are newer than the index are not a fault. */
export function isSound({ state }: ShownCheck): boolean {
  return state === "sound" || state === "behind";
}

/** Lines of `verify` about one folder: the verdict first, then the findings. */
export function verifyText(check: ShownCheck, language: Language, style: Style): string {
  const { root, state, detail, busy, stale, stalePaths = [], compared, differing = [], unreadable = [] } =
    check;
  const colour = state === "sound" ? style.green : state === "behind" ? style.yellow : style.red;
  const rows: Row[] = [["cli_verify_verdict", colour(message(language, `cli_verify_${state}`))]];
  const add = (label: MessageKey, key: MessageKey, params: Record<string, string | number> = {}) => {
    rows.push([label, printableMessage(language, key, params)]);
  };
  if (detail !== undefined) rows.push(["cli_detail", printable(detail)]);
  if (busy) rows.push(["cli_busy", message(language, "cli_yes")]);
  if (stale !== undefined) {
    const { files = 0, chunks = 0, indexBytes = 0 } = check;
    add("cli_verify_index", "cli_verify_index_checked", { files, chunks, size: formatBytes(indexBytes) });
    const isSame = stale.new + stale.changed + stale.removed === 0;
    add("cli_verify_folder", isSame ? "cli_verify_folder_same" : "cli_stale_some", stale);
  }
  if (compared !== undefined) {
    const same = compared - differing.length;
    const key = same === compared ? "cli_verify_contents_same" : "cli_verify_contents_differ";
    add("cli_verify_contents", key, { same, count: differing.length });
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
