import { DamagedIndexError } from "./blob/mod.ts";
import type { FileRecord, IndexMeta, StoredFile } from "./types.ts";

/** A JSON section of more bytes cannot be decoded into one string. */
export const MAX_JSON_BYTES = 400 * 1024 * 1024;

const STATUS: ReadonlySet<unknown> = new Set<FileRecord["status"]>(["indexed", "skipped", "failed"]);

/** Returns the metadata of an index from its parsed JSON. Throws {@linkcode DamagedIndexError} for any other JSON. */
export function metaOf(json: unknown): IndexMeta {
  const { tokenizer, settings, program, indexedAt, root, leftOut } = recordOf(json) ?? {};
  const isMeta = typeof tokenizer === "number" && typeof settings === "string" &&
    typeof program === "string" && typeof root === "string" && typeof indexedAt === "string" &&
    !Number.isNaN(Date.parse(indexedAt)) && (leftOut === undefined || isCounts(leftOut));
  if (!isMeta) throw new DamagedIndexError("section meta");
  return {
    tokenizer,
    settings,
    program,
    indexedAt,
    root,
    ...(leftOut === undefined ? {} : { leftOut: leftOut as Record<string, number> }),
  };
}

/**
 * Returns the file table of an index from its parsed JSON. Throws {@linkcode DamagedIndexError} if a record is malformed, or
 * if the chunks of the files do not follow one another as `fileOfChunk` says. Paths are not checked.
 */
export function filesOf(json: unknown, fileOfChunk: Uint32Array): StoredFile[] {
  if (!Array.isArray(json)) throw new DamagedIndexError("section files");
  let next = 0;
  for (const [file, record] of json.entries()) {
    if (!isStoredFile(record) || record.firstChunk !== next) throw new DamagedIndexError(`file ${file}`);
    const end = next + record.chunkCount;
    if (end > fileOfChunk.length) throw new DamagedIndexError(`chunks of file ${file}`);
    for (; next < end; next++) {
      if (fileOfChunk[next] !== file) throw new DamagedIndexError(`file of chunk ${next}`);
    }
  }
  if (next !== fileOfChunk.length) throw new DamagedIndexError("chunks without a file");
  return json;
}

function isStoredFile(json: unknown): json is StoredFile {
  const { firstChunk, chunkCount } = recordOf(json) ?? {};
  return isFileRecord(json) && isCount(firstChunk) && isCount(chunkCount);
}

/** Whether parsed JSON is the record of a file. */
export function isFileRecord(json: unknown): json is FileRecord {
  const {
    path,
    size,
    mtimeMs,
    sha256,
    status,
    reason,
    detail,
    encoding,
    format,
    pages,
    pageUnit,
    emptyPages,
    recognised,
    recognition,
    unrecognised,
    failedMs,
  } = recordOf(json) ?? {};
  return typeof path === "string" && isCount(size) && Number.isFinite(mtimeMs) &&
    typeof sha256 === "string" && STATUS.has(status) &&
    (reason === undefined || typeof reason === "string") &&
    (encoding === undefined || typeof encoding === "string") && (detail === undefined || isDetail(detail)) &&
    (format === undefined || typeof format === "string") && (pages === undefined || isCount(pages)) &&
    (pageUnit === undefined || typeof pageUnit === "string") &&
    (emptyPages === undefined || Array.isArray(emptyPages) && emptyPages.every(isCount)) &&
    (recognised === undefined || Array.isArray(recognised) && recognised.every(isCount)) &&
    (recognition === undefined || recognition === "pending") &&
    (unrecognised === undefined || Array.isArray(unrecognised) && unrecognised.every(isPageWithReason)) &&
    (failedMs === undefined || isCount(failedMs));
}

function isPageWithReason(json: unknown): boolean {
  return Array.isArray(json) && json.length === 2 && isCount(json[0]) && typeof json[1] === "string";
}

function isCounts(json: unknown): boolean {
  const counts = recordOf(json);
  return counts !== undefined && Object.values(counts).every(isCount);
}

function isDetail(json: unknown): boolean {
  const detail = recordOf(json);
  return detail !== undefined &&
    Object.values(detail).every((value) => typeof value === "string" || typeof value === "number");
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function recordOf(json: unknown): Record<string, unknown> | undefined {
  return typeof json === "object" && json !== null && !Array.isArray(json)
    ? json as Record<string, unknown>
    : undefined;
}
