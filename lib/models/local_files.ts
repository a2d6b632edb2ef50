import { unzipSync } from "fflate";
import { extname, join } from "node:path";
import { isNamedFolder, listNamed, openNamed, readNamed, statNamed } from "../sandbox/mod.ts";
import { digestOfBytes, digestOfFile, isSame } from "./digest.ts";
import { gunzip, gunzipFile, isGzip } from "./gzip.ts";
import { type ArchiveEntry, BadArchive, tarEntries } from "./tar.ts";
import type { CatalogueModel, Digest } from "./types.ts";

/** Depth of the folders that are looked into: a cache of the hub has `models--X/snapshots/REVISION/onnx`. */
const MAX_DEPTH = 5;
/** Files and folders that are looked at. */
const MAX_ENTRIES = 10_000;
/** Bytes of a zip archive, which is read into memory. */
const MAX_ZIP_BYTES = 512 * 1024 * 1024;

/** A form in which a file of a model may be found. */
interface Form extends Digest {
  /** Name of the file in the installed folder. */
  readonly file: string;
  /** The digest of the file itself, where this form is compressed. */
  readonly unpacked?: Digest;
}

/** Receives a file of a model, complete and checked. */
export type OnLocalFile = (name: string, bytes: Uint8Array) => Promise<void>;

/**
 * Finds files of a model by their bytes, whatever their names are: in a folder, in the folder around an ONNX file, or in an
 * archive (tar.gz, zip); compressed files and archives in the folder are looked into as well. Returns the names of the files
 * that were not found. Throws the errors of the system for `path` itself.
 */
export async function findLocalFiles(
  path: string,
  model: CatalogueModel,
  signal: AbortSignal,
  onFile: OnLocalFile,
): Promise<string[]> {
  const missing = new Set(Object.keys(model.files));
  const forms = formsOf(model);
  const take = async (bytes: Uint8Array<ArrayBuffer>) => {
    const found = digestOfBytes(bytes);
    const form = forms.find((form) => missing.has(form.file) && isSame(form, found));
    if (form === undefined) return;
    const content = form.unpacked === undefined ? bytes : await gunzip(bytes, form.unpacked.bytes);
    if (form.unpacked !== undefined && !isSame(digestOfBytes(content), form.unpacked)) return;
    missing.delete(form.file);
    await onFile(form.file, content);
  };
  const isWanted = (_path: string, size: number) =>
    forms.some((form) => missing.has(form.file) && form.bytes === size);
  for await (const file of filesAt(path)) {
    signal.throwIfAborted();
    if (missing.size === 0) break;
    if (isWanted(file, (await statNamed(file)).size)) await take(await readNamed(file));
    else for await (const { bytes } of entriesOf(file, isWanted)) await take(bytes);
  }
  return [...missing];
}

function formsOf({ files, packages }: CatalogueModel): Form[] {
  const plain = Object.entries(files).map(([file, digest]): Form => ({ file, ...digest }));
  const packed = packages.flatMap(({ entries }) => entries).filter(({ isGzip }) => isGzip)
    .map(({ file, bytes, sha256 }): Form => ({ file, bytes, sha256, unpacked: files[file]! }));
  return [...plain, ...packed];
}

/** The file at `path`, or the files in the folder, those that are not archives first. */
async function* filesAt(path: string): AsyncGenerator<string> {
  if (!isNamedFolder(path)) return yield path;
  const archives: string[] = [];
  let left = MAX_ENTRIES;
  const folders = [{ path, depth: 0 }];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const name of (await listNamed(at.path)).sort()) {
      if (left-- === 0) return;
      const entry = join(at.path, name);
      // Links may lead to places that may not be read, or nowhere.
      const info = await statNamed(entry).catch(() => undefined);
      if (info?.isDirectory && at.depth < MAX_DEPTH) folders.push({ path: entry, depth: at.depth + 1 });
      if (!info?.isFile) continue;
      if (/^\.(?:tgz|gz|zip)$/i.test(extname(name))) archives.push(entry);
      else yield entry;
    }
  }
  yield* archives;
}

/** Yields the wanted files in an archive. A damaged archive, or a file of another kind, has no entries. */
async function* entriesOf(
  path: string,
  isWanted: (path: string, size: number) => boolean,
): AsyncGenerator<ArchiveEntry> {
  const start = await readNamed(path, 4);
  try {
    if (isGzip(start)) {
      using file = await openNamed(path);
      yield* tarEntries(gunzipFile(file), isWanted);
    } else if (start[0] === 0x50 && start[1] === 0x4b) {
      if ((await statNamed(path)).size > MAX_ZIP_BYTES) return;
      const filter = ({ name, originalSize }: { name: string; originalSize: number }) =>
        isWanted(name, originalSize);
      const entries = unzipSync(await readNamed(path), { filter });
      for (const [path, bytes] of Object.entries(entries)) yield { path, bytes: new Uint8Array(bytes) };
    }
  } catch (error) {
    // The library for zip archives throws errors with a numeric code.
    const isDamaged = error instanceof BadArchive || typeof (error as { code?: unknown })?.code === "number";
    if (!isDamaged) throw error;
  }
}

/** The size and the digest of a file at a path. */
export async function digestAt(path: string): Promise<Digest> {
  using file = await openNamed(path);
  return await digestOfFile(file);
}
