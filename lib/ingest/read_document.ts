import { join } from "node:path";
import { bytesToText, type FileBytes, readFileBytes } from "../corpus/mod.ts";
import { type Chunk, chunkDocument } from "../chunk/mod.ts";
import { loadDocument } from "../document/mod.ts";
import type { FileRecord, NewChunk } from "../index/mod.ts";
import { fileError } from "../sandbox/mod.ts";
import type { IngestSettings } from "./settings.ts";

/** A file read, before it is decoded. */
export interface ReadFile extends FileBytes {
  readonly path: string;
  readonly ctimeMs?: number;
}

/** Reads a file of the folder; a {@linkcode FileRecord} without chunks if that is not possible. */
export async function readFile(
  root: string,
  path: string,
  stat: Pick<FileRecord, "size" | "mtimeMs" | "ctimeMs">,
  maxBytes: number,
): Promise<ReadFile | FileRecord> {
  try {
    const file = await readFileBytes(join(root, ...path.split("/")), { maxBytes });
    // the time the walk saw: if the file changed since, the next run takes it up again
    return { ...file, path, ...timesOf(stat) };
  } catch (error) {
    return withoutChunks(path, stat, error);
  }
}

/** True for what could not be read. */
export function isRecord(file: ReadFile | FileRecord): file is FileRecord {
  return "status" in file;
}

/** Decodes a file and cuts it into chunks; a record without chunks if it is not text or has none. */
export async function toChunks(
  file: ReadFile,
  settings: IngestSettings,
): Promise<{ record: FileRecord; chunks: readonly NewChunk[] }> {
  const { path, size } = file;
  const sha256 = file.sha256.toHex();
  const base = { path, size, ...timesOf(file), sha256 };
  if (size === 0) return { record: { ...base, status: "skipped", reason: "empty" }, chunks: [] };
  try {
    const { text, encoding } = await bytesToText(file.bytes, { path, encoding: settings.encoding });
    const document = loadDocument(path, text);
    const chunks = chunkDocument(document, settings.chunking).map((chunk) => newChunk(chunk, text, path));
    return chunks.length === 0
      ? { record: { ...base, status: "skipped", reason: "empty" }, chunks: [] }
      : { record: { ...base, status: "indexed", encoding }, chunks };
  } catch (error) {
    return { record: { ...withoutChunks(path, base, error), sha256 }, chunks: [] };
  }
}

/** The times of a file, to be taken over. */
export function timesOf(
  { mtimeMs, ctimeMs }: Pick<FileRecord, "mtimeMs" | "ctimeMs">,
): Pick<FileRecord, "mtimeMs" | "ctimeMs"> {
  return { mtimeMs, ...(ctimeMs === undefined ? {} : { ctimeMs }) };
}

function newChunk(chunk: Chunk, text: string, path: string): NewChunk {
  const { start, end, startLine, endLine, section } = chunk;
  return {
    get text() {
      return text.slice(start, end);
    },
    context: `${section.join("\n")}\n${fileStem(path)}`,
    start,
    end,
    startLine,
    endLine,
    section,
  };
}

/** A file's name without its folders and its last extension. */
function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const point = name.lastIndexOf(".");
  return point > 0 ? name.slice(0, point) : name;
}

/** What the index keeps of a file that gave no text: not text is a reason to pass it over, the rest are failures. */
export function withoutChunks(
  path: string,
  { size, ...stat }: Pick<FileRecord, "size" | "mtimeMs" | "ctimeMs">,
  error: unknown,
): FileRecord {
  const base = { path, size, ...timesOf(stat), sha256: "" };
  const { key, params } = fileError(error, path);
  if (key === "not_text") return { ...base, status: "skipped", reason: "binary_content" };
  return { ...base, status: "failed", reason: key, detail: params };
}
