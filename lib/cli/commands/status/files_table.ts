import { emptyPagesText } from "../../../index/mod.ts";
import type { FileState, ListedFile } from "../../../ingest/mod.ts";
import { type Language, message, type MessageKey, printable } from "../../../messages.ts";
import { displayWidth } from "../../display_width.ts";
import { formatBytes, formatTime } from "../../format.ts";
import type { Style } from "../../style.ts";

/** Characters of a SHA-256 that the table shows. */
const HASH_CHARS = 8;

/** The columns before the path. The path comes last because it may be long. */
const COLUMNS: readonly { readonly label: MessageKey; readonly width: number; readonly right?: true }[] = [
  { label: "cli_column_state", width: 7 },
  { label: "cli_column_format", width: 9 },
  { label: "cli_column_pages", width: 5, right: true },
  { label: "cli_column_chunks", width: 6, right: true },
  { label: "cli_column_size", width: 6, right: true },
  { label: "cli_column_modified", width: 16 },
  { label: "cli_column_hash", width: HASH_CHARS },
];

const COLOURS: Readonly<Record<FileState, keyof Style>> = {
  indexed: "green",
  skipped: "dim",
  failed: "red",
  new: "yellow",
  changed: "yellow",
  removed: "yellow",
};

/** The head of the table of files. */
export function filesHead(language: Language, style: Style): string {
  const labels = COLUMNS.map(({ label }) => message(language, label));
  return `${style.dim(line(labels, message(language, "cli_column_path")))}\n`;
}

/** The line of one file, and further lines with remarks. */
export function fileLine(file: ListedFile, language: Language, style: Style): string {
  const { path, state, detail, format, pages, emptyPages, chunks, size, modified, sha256 } = file;
  const cells = [
    style[COLOURS[state]](message(language, `cli_file_${state}`)),
    format ?? "–",
    pages?.toString() ?? "–",
    chunks > 0 ? String(chunks) : "–",
    size === undefined ? "–" : formatBytes(size),
    modified === undefined ? "–" : formatTime(new Date(modified)).slice(0, -":00".length),
    sha256?.slice(0, HASH_CHARS) ?? "–",
  ];
  const remarks = [
    ...(detail === undefined ? [] : [printable(detail)]),
    // A skipped scan already has that reason as its detail.
    ...(emptyPages === undefined || pages === undefined || state === "skipped"
      ? []
      : [emptyPagesText(emptyPages, pages, language)]),
    ...recognitionTexts(file, language),
  ];
  return [line(cells, printable(path)), ...remarks.map((remark) => `    ${style.dim(remark)}`)].join("\n") +
    "\n";
}

/** The parts of a file that are still to be recognised, or could not be. */
function recognitionTexts(
  { recognition, unrecognised = [], failedAt }: ListedFile,
  language: Language,
): string[] {
  if (recognition === "pending") return [message(language, "cli_file_recognition_pending")];
  const time = failedAt === undefined ? "?" : formatTime(new Date(failedAt));
  return [...Map.groupBy(unrecognised, ({ detail }) => detail)].map(([text, pages]) =>
    message(language, "cli_file_unrecognised", {
      pages: pages.map(({ page }) => page).join(", "),
      text,
      time,
    })
  );
}

function line(cells: readonly string[], path: string): string {
  const padded = COLUMNS.map(({ width, right }, at) => {
    const cell = cells[at] ?? "";
    const padding = " ".repeat(Math.max(0, width - displayWidth(cell)));
    return right ? padding + cell : cell + padding;
  });
  return `  ${padded.join("  ")}  ${path}`;
}
