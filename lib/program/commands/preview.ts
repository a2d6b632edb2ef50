/** The command `preview`: what `index` would read, and what the user may wish to leave out before. It writes nothing. */
import type { FolderPreview, Range, SensitivePath } from "#library/ingest/mod.ts";
import { type Language, message, type MessageKey, MESSAGES, printable } from "#foundation/messages/mod.ts";
import { collectionOf } from "#foundation/configuration/mod.ts";
import { present } from "#foundation/present.ts";
import { abortable, EXIT } from "../context.ts";
import { formatBytes, formatDuration } from "../progress.ts";
import { failuresText, folderTitle, skippedText, table } from "../output.ts";
import type { Session } from "../request.ts";
import { printableMessage, printJson } from "../say.ts";
import { displayWidth, type Style, styleFor } from "../terminal_text.ts";

/** Paths and kinds that are listed without `--json`. */
const MOST_LISTED = 30;
const MOST_FAILURES = 5;

/** `preview [dir]`: what would be read of a folder, with an estimate of time and space, and lines for `.muxueragignore`. */
export async function preview(session: Session): Promise<number> {
  const { io, flags, language, roots, config, ownPlaces, signal } = session;
  const { previewFolder } = await import("#library/ingest/mod.ts");
  const folders: ShownPreview[] = [];
  for (const root of roots) {
    const { name: collection } = collectionOf(config, root) ?? {};
    const found = await abortable(previewFolder(root, config, { ownPlaces, signal }), signal);
    folders.push({ ...present({ collection }), ...found });
  }
  if (flags.json) await printJson(session, { folders });
  else {
    const style = styleFor(io, "stdout");
    await io.out(folders.map((folder) => previewText(folder, language, style)).join("\n"));
  }
  return EXIT.done;
}

type ShownPreview = FolderPreview & { readonly collection?: string };

function previewText(folder: ShownPreview, language: Language, style: Style): string {
  const { collection, files, bytes, kinds, skipped, failed, seconds, indexBytes, sensitive, ignoreLines } =
    folder;
  const facts = table([
    ["cli_preview_read", message(language, "cli_preview_files", { count: files, size: formatBytes(bytes) })],
    ["cli_preview_left_out", skippedText({ skipped }, language)],
    ["cli_preview_time", rangeText(seconds, formatDuration)],
    ["cli_preview_index", rangeText(indexBytes, formatBytes)],
  ], language);
  const width = Math.max(0, ...kinds.map(({ kind }) => displayWidth(kindName(kind, language))));
  const kindLines = kinds.slice(0, MOST_LISTED).map(({ kind, files, bytes }) => {
    const name = kindName(kind, language);
    const padded = name + " ".repeat(width - displayWidth(name));
    return `    ${padded}  ${
      message(language, "cli_preview_files", { count: files, size: formatBytes(bytes) })
    }\n`;
  });
  const parts = [
    `${style.bold(printable(folderTitle(folder.root, collection, language)))}\n${facts}`,
    ...(kinds.some(({ kind }) => kind === "archive") ? [note("cli_preview_archives", language)] : []),
    kindLines.join(""),
    failuresText(failed.slice(0, MOST_FAILURES), style),
    listText(
      "cli_preview_sensitive",
      sensitive.map((path) => sensitiveText(path, language, style)),
      language,
    ),
    listText("cli_preview_ignore", ignoreLines.map((line) => `    ${printable(line)}\n`), language),
  ];
  return parts.join("");
}

function note(key: MessageKey, language: Language): string {
  return `  ${printableMessage(language, key)}\n`;
}

function listText(title: MessageKey, lines: readonly string[], language: Language): string {
  if (lines.length === 0) return "";
  const more = lines.length - MOST_LISTED;
  const rest = more > 0 ? `    … + ${more}\n` : "";
  return `${note(title, language)}${lines.slice(0, MOST_LISTED).join("")}${rest}`;
}

function sensitiveText(
  { path, reason, leftOut, files, bytes }: SensitivePath,
  language: Language,
  style: Style,
): string {
  const what = message(language, `cli_preview_${reason}`);
  const comma = message(language, "list_comma");
  const size = files === undefined
    ? ""
    : `${comma}${message(language, "cli_preview_files", { count: files, size: formatBytes(bytes ?? 0) })}`;
  if (leftOut === undefined) return `    ${style.yellow("!")} ${printable(path)}: ${what}${size}\n`;
  const why = message(language, `cli_skip_${leftOut}` as MessageKey, { count: 1 });
  return `    ${
    style.dim(`· ${printable(path)}: ${what}${comma}${message(language, "cli_preview_is_left_out", { why })}`)
  }\n`;
}

function kindName(kind: string, language: Language): string {
  const key = kind === "text" ? "cli_preview_text" : `format_${kind}`;
  return Object.hasOwn(MESSAGES, key) ? message(language, key as MessageKey, { count: 2 }) : kind;
}

function rangeText([low, high]: Range, format: (value: number) => string): string {
  return `${format(low)} – ${format(high)}`;
}
