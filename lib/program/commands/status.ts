/**
 * The command `status`: the state of each index,
 * and with `--files` every file with its state and the reason.
 */
import { traceOf } from "#foundation/errors.ts";
import { collectionOf } from "#foundation/configuration/mod.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import {
  type FileError,
  type FileState,
  folderFiles,
  folderStatus,
  type ListedFile,
  neuralShare,
  openForReport,
} from "#library/ingest/mod.ts";
import { openStore } from "#library/store/mod.ts";
import {
  type Language,
  message,
  type MessageKey,
  pageList,
  printable,
  printableJson,
} from "#foundation/messages/mod.ts";
import { abortable, EXIT } from "../context.ts";
import {
  configurationData,
  configurationText,
  errorText,
  explainChoice,
  printableMessage,
  printJson,
} from "../say.ts";
import { folderTitle, type ShownStatus, statusText } from "../output.ts";
import { present } from "#foundation/present.ts";
import type { TaskStatus } from "../generated_texts.ts";
import type { Session } from "../request.ts";
import { displayWidth, type Style, styleFor } from "../terminal_text.ts";
import { belowTest, facetsOf } from "#library/search/mod.ts";
import { formatBytes, formatTime } from "../progress.ts";
import { emptyPagesText } from "#library/corpus/mod.ts";
import { MOST_PICTURE_PIXELS, MOST_PICTURES } from "#documents/mod.ts";

/**
 * `status`: the time, size and state of each index, its failed files with reasons, and its stale files. A folder that cannot
 * be read is reported among the others. The run fails where all folders are.
 */
export async function status(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  explainChoice(session);
  // --skipped and --failed list files, too.
  if (flags.files || flags.skipped || flags.failed) return await statusFiles(session);
  const models = await session.models();
  const folders: ShownStatus[] = [];
  for (const root of roots) {
    const { name: collection } = collectionOf(session.config, root) ?? {};
    folders.push({ ...present({ collection }), ...await statusOf(session, root, models) });
  }
  const style = styleFor(io, "stdout");
  // The answers of the tools are loaded only for what they count.
  const counts = flags.facets ? await import("#library/answer/mod.ts") : undefined;
  if (flags.json) {
    const data = folders.map(({ facets, ...one }) =>
      present({ ...one, facets: facets && counts?.facetsData(facets) })
    );
    await printJson(session, { folders: data, ...configurationData(session) });
  } else {
    const textOf = (folder: ShownStatus) =>
      statusText(folder, language, style) +
      (counts?.facetLines(folder.facets ?? [], language) ?? []).map((line) => `  ${line}\n`).join("");
    await io.out(folders.map(textOf).join("\n"));
    const text = configurationText(session, language);
    if (text !== undefined) await io.out(`${style.dim(message(language, "cli_configuration", { text }))}\n`);
  }
  return folders.every(({ state }) => state === "unusable") ? EXIT.failed : EXIT.done;
}

async function statusOf(
  session: Session,
  root: string,
  models: NeuralModels | undefined,
): Promise<ShownStatus> {
  const { config, language, log, signal } = session;
  try {
    const found = await abortable(folderStatus(root, config, session), signal);
    const status = {
      ...found,
      ...(found.state === "ready" && session.flags.facets ? await facetsIn(session, root) : {}),
    };
    if (status.state !== "ready") return status;
    const generated = await generatedIn(session, root);
    const withTexts = generated.length === 0 ? status : { ...status, generated };
    if (models === undefined) return withTexts;
    const share = neuralShare(openStore(config, root, session), models);
    const neural = await abortable(share, signal);
    return neural === undefined ? withTexts : { ...withTexts, neural };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("status.failed", { root, error: traceOf(error) });
    return { root, state: "unusable", detail: errorText(error, language, log.problem === undefined) };
  }
}

/** How far the tasks of language models are in a folder. Nothing is loaded where none is configured. */
async function generatedIn(session: Session, root: string): Promise<readonly TaskStatus[]> {
  const { llm, vision_llm: vision } = session.config;
  if (llm.provider === "none" && vision.provider === "none") return [];
  const { taskStates } = await import("../generated_texts.ts");
  return await abortable(taskStates(session, root), session.signal);
}

/** Counts the documents in an index of a folder; nothing if it is gone by now. */
async function facetsIn(session: Session, root: string): Promise<Pick<ShownStatus, "facets">> {
  const { index: opened } = await openForReport(root, session.config, session);
  if (opened === undefined) return {};
  using index = opened;
  const files = index.files.filter(({ status }) => status === "indexed");
  return { facets: facetsOf(files, ["tag", "author", "type", "year", "folder"]) };
}

/** Number of files that are written at a time. */
const BATCH = 500;
/** Number of the last failures that are listed with their time. */
const ERRORS_SHOWN = 5;

/** A folder's files, or the reason why they cannot be listed. */
type Folder =
  & { readonly root: string; readonly collection?: string | undefined }
  & ({
    readonly indexedAt?: Date;
    readonly files: readonly ListedFile[];
    readonly errors: readonly FileError[];
  } | { readonly problem: string });

/**
 * `status --files`: lists every file of the folders with its state and the reason. `--failed` selects the files that could
 * not be read, `--skipped` the skipped files, both together either. The run fails where no folder can be read.
 */
async function statusFiles(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  let isUsable = false;
  const print = flags.json ? printFilesAsJson : printFilesAsTable;
  if (flags.json) {
    const done = JSON.stringify(message(language, "cli_done"));
    await io.out(printableJson(`{"code":200,"message":${done},"data":{"folders":[`));
  }
  for (const [at, root] of roots.entries()) {
    const folder = await filesOf(session, root);
    isUsable ||= "files" in folder;
    await print(session, folder, at === 0);
  }
  if (flags.json) await io.out("\n]}}\n");
  return isUsable ? EXIT.done : EXIT.failed;
}

async function filesOf(session: Session, root: string): Promise<Folder> {
  const { config, flags, choice, language, log, signal } = session;
  const collection = collectionOf(config, root)?.name;
  const all = !flags.skipped && !flags.failed;
  const isBelow = belowTest(choice.below[root]);
  const isWanted = ({ path, state, unread }: ListedFile) =>
    isBelow(path) && (all || flags.skipped && state === "skipped" || flags.failed && unread);
  try {
    const { files, errors, ...facts } = await abortable(folderFiles(root, config, session), signal);
    const last = errors.filter(({ path }) => isBelow(path)).slice(0, ERRORS_SHOWN);
    return { root, collection, ...facts, files: files.filter(isWanted), errors: last };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("status.failed", { root, error: traceOf(error) });
    return { root, collection, problem: errorText(error, language, log.problem === undefined) };
  }
}

async function printFilesAsTable(
  { io, language, signal }: Session,
  folder: Folder,
  isFirst: boolean,
): Promise<void> {
  const style = styleFor(io, "stdout");
  const name = style.bold(folderTitle(folder.root, folder.collection, language));
  const title = `${isFirst ? "" : "\n"}${name}\n`;
  if ("problem" in folder) return await io.out(`${title}  ${printable(folder.problem)}\n`);
  const { files, indexedAt, errors } = folder;
  const time = indexedAt &&
    `  ${message(language, "cli_files_indexed_at", { time: formatTime(indexedAt) })}\n`;
  await io.out(`${title}${time ?? ""}${files.length === 0 ? "" : filesHead(language, style)}`);
  for (const batch of batches(files)) {
    signal.throwIfAborted();
    await io.out(batch.map((file) => fileLine(file, language, style)).join(""));
  }
  await io.out(`  ${printableMessage(language, "cli_files_listed", { count: files.length })}\n`);
  if (errors.length > 0) await io.out(errorsText(errors, language, style));
}

/** The last failures with their times. */
function errorsText(errors: readonly FileError[], language: Language, style: Style): string {
  const lines = errors.map(({ path, time, text }) =>
    `    ${formatTime(new Date(time))}  ${printable(text.startsWith(path) ? text : `${path}: ${text}`)}\n`
  );
  const title = style.bold(message(language, "cli_files_errors", { count: errors.length }));
  return `  ${title}\n${lines.join("")}`;
}

/** Prints JSON with one line for each file, in batches, so that a long list is never in memory as a whole. */
async function printFilesAsJson({ io, signal }: Session, folder: Folder, isFirst: boolean): Promise<void> {
  const { root, collection } = folder;
  const indexedAt = "files" in folder ? folder.indexedAt : undefined;
  const head = `${isFirst ? "" : ","}\n${JSON.stringify({ root, collection, indexedAt }).slice(0, -1)}`;
  if ("problem" in folder) {
    const detail = JSON.stringify(folder.problem);
    return await io.out(printableJson(`${head},"state":"unusable","detail":${detail}}`));
  }
  await io.out(printableJson(`${head},"files":[`));
  let separator = "\n";
  for (const batch of batches(folder.files)) {
    signal.throwIfAborted();
    await io.out(printableJson(separator + batch.map((file) => JSON.stringify(file)).join(",\n")));
    separator = ",\n";
  }
  await io.out(printableJson(`\n],"errors":${JSON.stringify(folder.errors)}}`));
}

function* batches(files: readonly ListedFile[]): Generator<readonly ListedFile[]> {
  for (let at = 0; at < files.length; at += BATCH) yield files.slice(at, at + BATCH);
}

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
function filesHead(language: Language, style: Style): string {
  const labels = COLUMNS.map(({ label }) => message(language, label));
  return `${style.dim(line(labels, message(language, "cli_column_path")))}\n`;
}

/** The line of one file, and further lines with remarks. */
function fileLine(file: ListedFile, language: Language, style: Style): string {
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
  const lines = [line(cells, printable(path)), ...remarks.map((remark) => `    ${style.dim(remark)}`)];
  return `${lines.join("\n")}\n`;
}

/** The parts of a file that are still to be recognised, or could not be. */
function recognitionTexts(
  { recognition, unrecognised = [], unrecognisedImages = [], leftImages: count = 0, failedAt }: ListedFile,
  language: Language,
): string[] {
  if (recognition === "pending") return [message(language, "cli_file_recognition_pending")];
  const pixels = MOST_PICTURE_PIXELS / 1_000_000;
  const time = failedAt === undefined ? "?" : formatTime(new Date(failedAt));
  return [
    ...Array.from(Map.groupBy(unrecognised, ({ detail }) => detail), ([text, found]) => {
      const pages = found.map(({ page }) => page).join(", ");
      return message(language, "cli_file_unrecognised", { pages, text, time });
    }),
    ...Array.from(Map.groupBy(unrecognisedImages, ({ detail }) => detail), ([text, found]) => {
      const images = pageList(found.map(({ image }) => image));
      return message(language, "cli_file_unrecognised_images", { images, text, count: found.length });
    }),
    ...(count > 0
      ? [message(language, "cli_file_left_images", { count, limit: MOST_PICTURES, pixels })]
      : []),
  ];
}

function line(cells: readonly string[], path: string): string {
  const padded = COLUMNS.map(({ width, right }, at) => {
    const cell = cells[at] ?? "";
    const padding = " ".repeat(Math.max(0, width - displayWidth(cell)));
    return right ? padding + cell : cell + padding;
  });
  return `  ${padded.join("  ")}  ${path}`;
}
