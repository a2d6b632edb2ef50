import { reasonOf } from "../errors.ts";
import type { ReadableFile } from "../sandbox/mod.ts";
import { digestOfBytes, isSame } from "./digest.ts";
import { SourceFailure } from "./failure.ts";
import { gunzip, gunzipFile } from "./gzip.ts";
import { BadArchive, tarEntries } from "./tar.ts";
import type { CatalogueModel, CataloguePackage, Digest, PackageEntry } from "./types.ts";

/** Receives a checked file of a model. */
export type OnFile = (name: string, bytes: Uint8Array) => Promise<void>;

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
