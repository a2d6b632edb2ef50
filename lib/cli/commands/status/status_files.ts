import { collectionOf } from "../../../config/mod.ts";
import { type FileError, folderFiles, type ListedFile } from "../../../ingest/mod.ts";
import { belowTest } from "../../../search/mod.ts";
import { type Language, message, printable, printableJson } from "../../../messages.ts";
import { abortable } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatTime } from "../../format.ts";
import { printableMessage } from "../../printable_message.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { type Style, styleFor } from "../../style.ts";
import { folderTitle } from "../../output.ts";
import { fileLine, filesHead } from "./files_table.ts";

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
export async function statusFiles(session: Session): Promise<number> {
  const { io, flags, language, roots } = session;
  let usable = 0;
  if (flags.json) {
    const done = JSON.stringify(message(language, "cli_done"));
    await io.out(printableJson(`{"code":200,"message":${done},"data":{"folders":[`));
  }
  for (const [at, root] of roots.entries()) {
    const folder = await filesOf(session, root);
    if ("files" in folder) usable++;
    if (flags.json) await printJson(session, folder, at === 0);
    else await printTable(session, folder, at === 0);
  }
  if (flags.json) await io.out("\n]}}\n");
  return usable === 0 ? EXIT.failed : EXIT.done;
}

async function filesOf(
  { config, ownPlaces, indexKey, indexDirs, flags, choice, language, log, signal }: Session,
  root: string,
): Promise<Folder> {
  const collection = collectionOf(config, root)?.name;
  const all = !flags.skipped && !flags.failed;
  const isBelow = belowTest(choice.below[root]);
  const isWanted = ({ path, state, unread }: ListedFile) =>
    isBelow(path) && (all || flags.skipped && state === "skipped" || flags.failed && unread);
  try {
    const { files, errors, ...facts } = await abortable(
      folderFiles(root, config, { ownPlaces, indexKey, indexDirs }),
      signal,
    );
    const last = errors.filter(({ path }) => isBelow(path)).slice(0, ERRORS_SHOWN);
    return { root, collection, ...facts, files: files.filter(isWanted), errors: last };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("status.failed", { root, error: error instanceof Error ? error.stack : String(error) });
    return { root, collection, problem: errorText(error, language, log.problem === undefined) };
  }
}

async function printTable(
  { io, language, signal }: Session,
  folder: Folder,
  isFirst: boolean,
): Promise<void> {
  const style = styleFor(io, "stdout");
  const title = `${isFirst ? "" : "\n"}${
    style.bold(folderTitle(folder.root, folder.collection, language))
  }\n`;
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
  return `  ${style.bold(message(language, "cli_files_errors", { count: errors.length }))}\n${
    lines.join("")
  }`;
}

/** Prints JSON with one line for each file, in batches, so that a long list is never in memory as a whole. */
async function printJson({ io, signal }: Session, folder: Folder, isFirst: boolean): Promise<void> {
  const { root, collection } = folder;
  const indexedAt = "files" in folder ? folder.indexedAt : undefined;
  const head = JSON.stringify({
    root,
    ...(collection === undefined ? {} : { collection }),
    ...(indexedAt === undefined ? {} : { indexedAt }),
  }).slice(0, -1);
  const before = isFirst ? "\n" : ",\n";
  if ("problem" in folder) {
    const { problem } = folder;
    return await io.out(
      printableJson(`${before}${head},"state":"unusable","detail":${JSON.stringify(problem)}}`),
    );
  }
  await io.out(printableJson(`${before}${head},"files":[`));
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
