/** The commands `export` and `import`: a whole collection as a file, or over a pipe, from one machine and store to another. */
import { dirname } from "node:path";
import { reasonOf, UsageError, UserError } from "#foundation/errors.ts";
import {
  isDiskFull,
  isTaken,
  makeNamedFolder,
  openNamed,
  writeAllSync,
  writeNamed,
} from "#foundation/boundary/mod.ts";
import { message } from "#foundation/messages/mod.ts";
import {
  exportCollection,
  importCollection,
  type ImportFit,
  type TransferCounts,
  type TransferProgress,
} from "#library/ingest/mod.ts";
import { openStore, type Store } from "#library/store/mod.ts";
import { EXIT } from "../context.ts";
import { barOf, formatBytes, type Progress, showProgress } from "../progress.ts";
import type { Session } from "../request.ts";
import { confirm, note, printableMessage } from "../say.ts";
import { oneRoot } from "../targets.ts";
import { mayCreate, mustBeFile } from "./backup.ts";
import { backupFileOf } from "./backup_file.ts";

/** Stands for stdin and stdout. */
const PIPE = "-";

/** `export [dir] [--to FILE|-]`: writes all that is kept about a folder. A file that exists is not overwritten. */
export async function exportTo(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const dir = oneRoot(session);
  const store = openStore(session.config, dir, session);
  if (flags.to !== PIPE) {
    const { path, counts } = await exportToFile(session, store);
    const size = formatBytes(counts.bytes);
    await io.out(
      `${
        printableMessage(language, "cli_exported", { dir, path, size, text: countsText(counts, session) })
      }\n`,
    );
    return EXIT.done;
  }
  if (io.terminal.stdout) throw new UsageError("cli_export_terminal");
  const counts = await exported(session, store, io.outBytes);
  note(session, "cli_exported_pipe", {
    dir,
    size: formatBytes(counts.bytes),
    text: countsText(counts, session),
  });
  return EXIT.done;
}

async function exportToFile(
  session: Session,
  store: Store,
): Promise<{ readonly path: string; readonly counts: TransferCounts }> {
  const { path, temporary, folder } = backupFileOf(session.named);
  if (session.flags.to === undefined) note(session, "cli_export_default_place", { path });
  if (folder !== undefined) {
    if (!await mayCreate(session, folder)) throw new UsageError("cli_backup_folder_missing", { folder });
    await makeNamedFolder(folder).catch((error) => {
      throw exportFailed(error, path);
    });
  }
  try {
    const counts = await writeNamed(
      path,
      (file) => exported(session, store, (bytes) => writeAllSync(file, bytes)),
      { overwrite: false, temporary },
    );
    return { path, counts };
  } catch (error) {
    if (error instanceof UserError || session.signal.aborted) throw error;
    if (isTaken(error)) throw new UserError("export_exists", { path });
    throw exportFailed(error, path);
  }
}

function exportFailed(error: unknown, path: string): UserError {
  if (isDiskFull(error)) return new UserError("disk_full", { path: dirname(path) }, { cause: error });
  return new UserError("export_failed", { path, error: reasonOf(error) }, { cause: error });
}

/** Writes the stream with its progress. */
async function exported(
  session: Session,
  store: Store,
  write: (bytes: Uint8Array) => void,
): Promise<TransferCounts> {
  const { signal, version, log } = session;
  const models = [...(await session.models())?.providers.values() ?? []].map(({ id }) => id);
  using progress = await startProgress(session, "cli_exporting", store.root);
  const counts = await exportCollection(store, {
    write,
    models,
    version,
    signal,
    onProgress: progress.update,
  });
  log.info("export", { root: store.root, ...counts });
  return counts;
}

/** `import FILE|- [--dir DIR]`: replaces the collection of a folder by an exported one. Asks as `restore` does. */
export async function importFrom(session: Session): Promise<number> {
  const {
    io,
    flags,
    language,
    operands: [operand = ""],
    named: [path = ""],
    signal,
    stateDir,
    log,
    indexKey,
  } = session;
  const dir = oneRoot(session);
  const isPipe = operand === PIPE;
  if (isPipe && io.terminal.stdin) throw new UsageError("cli_import_terminal");
  if (!isPipe) await mustBeFile(path);
  const store = openStore(session.config, dir, session);
  const isThere = await store.exists();
  const name = isPipe ? PIPE : path;
  // The launcher hands stdin over only to servers, which see in it when a client leaves.
  const input = isPipe ? Deno.stdin.readable : (await openNamed(path)).readable;
  using progress = await startProgress(session, "cli_importing", dir);
  const options = { stateDir, log, indexKey, tempDir: io.tempDir, name, force: flags.force ?? false, signal };
  const accept = (fit: ImportFit) => isAccepted(session, fit, { store, isThere, name });
  const counts = await importCollection(store, input, { ...options, onProgress: progress.update }, accept);
  if (counts === undefined) return EXIT.failed;
  await io.out(`${printableMessage(language, "cli_imported", { dir, text: countsText(counts, session) })}\n`);
  return EXIT.done;
}

/** Asks before an index is replaced, and before an import of which the next update would remove most, because its files are not there. */
async function isAccepted(
  session: Session,
  { files, present }: ImportFit,
  { store, isThere, name }: { readonly store: Store; readonly isThere: boolean; readonly name: string },
): Promise<boolean> {
  const { flags, language } = session;
  const { root: dir } = store;
  if (present * 2 < files && store.isShared !== true) {
    const text = message(language, "cli_import_few_files", { files, present, dir });
    if (flags.force) return true;
    if (flags.yes) throw new UsageError("cli_import_needs_force", { text });
    return await confirm(session, "cli_confirm_import_few", { text });
  }
  return !isThere || await confirm(session, "cli_confirm_import", { dir, path: name });
}

function countsText(counts: TransferCounts, { language }: Session): string {
  return message(language, "cli_transferred", { ...counts });
}

function startProgress(
  session: Session,
  key: "cli_exporting" | "cli_importing",
  dir: string,
): Promise<Progress<TransferProgress>> {
  const { language } = session;
  return showProgress<TransferProgress>(session, {
    line: ({ bytes, of }) => {
      const sizes = of === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} / ${formatBytes(of)}`;
      return `${of === undefined || of === 0 ? "" : `${barOf(bytes / of)} `}${sizes}`;
    },
    step: () => printableMessage(language, key, { dir }),
  });
}
