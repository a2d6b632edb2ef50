import type { MessageKey } from "../messages.ts";
import { type OwnFolder, writeAll } from "../sandbox/mod.ts";
import { digestOf } from "./digest.ts";
import { cannotWrite, SourceFailure } from "./failure.ts";
import { PartialFile } from "./partial_file.ts";
import { type Answer, request, type RequestLimits } from "./request.ts";
import type { Digest } from "./types.ts";

/** Requests for one file in a row that brought nothing new. */
const MAX_IDLE_TRIES = 2;
/** Requests for one file in all. */
const MAX_TRIES = 50;

/** The messages for answers that say what to do. */
const STATUS_KEYS: Readonly<Record<number, MessageKey>> = {
  401: "model_forbidden",
  403: "model_forbidden",
  407: "model_proxy_auth",
};

/** A file of a source. */
export interface RemoteFile extends Digest {
  readonly url: URL;
}

/** Where and how a file is downloaded. */
export interface DownloadOptions extends RequestLimits {
  readonly folder: OwnFolder;
  /** Name of the file in the folder. */
  readonly name: string;
  /** Called with the bytes of the file that are there. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Downloads a file and checks its size and digest. A part of it that an earlier call left is continued, also from another
 * address; after a broken connection, or one that has stalled, it is continued at once. The part stays after a failure, unless its bytes are
 * wrong. Throws {@linkcode SourceFailure}, `UserError` `model_disk_full` and `data_folder_unwritable`, and the signal's
 * reason after an abort.
 */
export async function download(file: RemoteFile, options: DownloadOptions): Promise<void> {
  const partial = new PartialFile(options.folder, options.name, {
    ...{ url: file.url.href, sha256: file.sha256 },
  });
  let idle = 0;
  for (let tries = 1;; tries++) {
    const before = await partial.bytes();
    try {
      await fetchRest(file, partial, options);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const hasMore = await partial.bytes() > before;
      if (!isPassing(error) && !(hasMore && error.key === "model_timeout")) throw error;
      idle = hasMore ? 0 : idle + 1;
      if (idle === MAX_IDLE_TRIES || tries === MAX_TRIES) throw error;
      continue;
    }
    const found = await digestOf(options.folder, partial.name);
    if (found.sha256 === file.sha256) return partial.finish();
    partial.remove();
    // The start of the file may have come from another version of it.
    if (before > 0 && tries < MAX_TRIES) continue;
    throw wrongBytes(file, found);
  }
}

/** Whether trying again may help: the connection broke in the middle, or the rest of a file was refused. */
function isPassing({ key }: SourceFailure): boolean {
  return key === "model_cut_off" || key === "model_no_rest";
}

function wrongBytes({ url, sha256 }: RemoteFile, found: Digest): SourceFailure {
  return new SourceFailure("model_wrong_hash", {
    host: url.host,
    file: fileNameOf(url),
    expected: sha256,
    found: found.sha256,
  });
}

/** Appends to the partial file what it lacks. */
async function fetchRest(file: RemoteFile, partial: PartialFile, options: DownloadOptions): Promise<void> {
  let start = await partial.bytes();
  if (start > file.bytes) {
    partial.remove();
    start = 0;
  }
  if (start === file.bytes) return;
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  const validator = await partial.validator();
  if (start > 0) {
    headers["range"] = `bytes=${start}-`;
    // Without a validator the digest tells whether the two parts belong together.
    if (validator !== undefined) headers["if-range"] = validator;
  }
  using answer = await request(file.url, headers, options);
  if (answer.status === 416 || answer.status === 206 && !continues(answer, start)) {
    partial.remove();
    throw new SourceFailure("model_no_rest", { host: file.url.host, file: fileNameOf(file.url) });
  }
  if (answer.status !== 200 && answer.status !== 206) {
    throw new SourceFailure(STATUS_KEYS[answer.status] ?? "model_status", {
      host: file.url.host,
      file: fileNameOf(file.url),
      status: answer.status,
    });
  }
  if (answer.status === 200) start = 0;
  checkLength(answer, start, file);
  await append(answer, start, { file, partial, options });
}

/** Whether the answer begins at the byte that was asked for. */
function continues({ headers }: Answer, start: number): boolean {
  return start > 0 && headers.get("content-range")?.startsWith(`bytes ${start}-`) === true;
}

/** Throws for an announced length that is not that of the file, before anything is read. */
function checkLength({ headers }: Answer, start: number, file: RemoteFile): void {
  const length = headers.get("content-length");
  if (length === null || headers.has("content-encoding")) return;
  if (Number(length) !== file.bytes - start) throw wrongSize(file, start + Number(length));
}

interface Target {
  readonly file: RemoteFile;
  readonly partial: PartialFile;
  readonly options: DownloadOptions;
}

async function append(answer: Answer, start: number, { file, partial, options }: Target): Promise<void> {
  const { onBytes } = options;
  using out = await partial.open(start, answer.headers);
  let bytes = start;
  onBytes?.(bytes);
  for (;;) {
    const part = await nextPart(answer, file);
    if (part === undefined) break;
    bytes += part.length;
    if (bytes > file.bytes) throw wrongSize(file, file.bytes + 1);
    try {
      await writeAll(out, part);
    } catch (error) {
      throw cannotWrite(error, options.folder.at(options.name));
    }
    onBytes?.(bytes);
  }
  if (bytes < file.bytes) throw cutOff(file);
}

/** The next part of the body. A connection that breaks here is one that can be continued. */
async function nextPart(answer: Answer, file: RemoteFile): Promise<Uint8Array | undefined> {
  try {
    return await answer.next();
  } catch (error) {
    throw error instanceof SourceFailure && error.key === "model_unreachable" ? cutOff(file) : error;
  }
}

function cutOff({ url }: RemoteFile): SourceFailure {
  return new SourceFailure("model_cut_off", { host: url.host, file: fileNameOf(url) });
}

function wrongSize({ url, bytes }: RemoteFile, found: number): SourceFailure {
  return new SourceFailure("model_wrong_size", {
    host: url.host,
    file: fileNameOf(url),
    expected: bytes,
    found,
  });
}

function fileNameOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/") + 1);
}
