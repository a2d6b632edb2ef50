/**
 * Bibliographies in a folder: what BibTeX files say about the documents beside them becomes part of the documents' records.
 *
 * An entry belongs to a file that it names in `file`, to one in the same folder whose name is its key, and the only entry of
 * `paper.bib` to `paper.pdf`. A record keeps what the document itself says, so that a change of the bibliography, or its removal,
 * changes the record without reading the document again.
 */
import { join, posix } from "node:path";
import type { FileRecord } from "#engine/index/mod.ts";
import { readFileBytes } from "#library/corpus/mod.ts";
import { type BibEntry, bytesToText, readBibtex, united } from "#documents/mod.ts";
import { present } from "#foundation/present.ts";
import type { UpdatePlan } from "./update_plan.ts";

/** Returns the record with what bibliographies say; the same object if they say nothing else than before. */
export type Complete = (record: FileRecord) => FileRecord;

/** Bibliographies that are read, and bytes of one of them. */
const MOST_FILES = 1_000, MOST_BYTES = 20_000_000;

/** Every update asks it of every file, and the pattern takes longer than the rest of the question. */
const isBibliography = (path: string) => path.at(-4) === "." && /\.bib$/i.test(path);
const isDescribed = (path: string) => /\.(?:pdf|epub|djvu|ps|docx?|odt)$/i.test(path);

/**
 * Reads the bibliographies of a folder. Returns `undefined` if the run changes neither them nor a document that one could describe.
 */
export async function readBibliographies(
  root: string,
  { files, removed }: Pick<UpdatePlan, "files" | "removed">,
  pause: () => Promise<void>,
): Promise<Complete | undefined> {
  const all = files.filter(({ path, within }) => isBibliography(path) && within === undefined);
  const isChanged = removed.some(({ path }) => isBibliography(path)) ||
    all.some(({ unchanged }) => !unchanged);
  if (
    !isChanged && (all.length === 0 || files.every(({ path, unchanged }) => unchanged || !isDescribed(path)))
  ) {
    return undefined;
  }
  const entries = new Map<string, BibEntry>();
  for (const { path } of all.slice(0, MOST_FILES)) {
    for (const [described, entry] of byFile(path, await entriesOf(root, path))) {
      if (!entries.has(described)) entries.set(described, entry);
    }
    await pause();
  }
  return (record) =>
    isDescribed(record.path) ? completed(record, entries.get(withoutExtension(record.path))) : record;
}

/** Returns the entries of a file; none if it cannot be read, which its own record says. */
async function entriesOf(root: string, path: string): Promise<BibEntry[]> {
  try {
    const { bytes } = await readFileBytes(join(root, ...path.split("/")), { maxBytes: MOST_BYTES });
    return readBibtex((await bytesToText(bytes, { path })).text);
  } catch {
    return [];
  }
}

/** Yields the paths without extension of the documents that the entries describe. The surest relation comes first. */
function* byFile(
  path: string,
  entries: readonly BibEntry[],
): Generator<[described: string, entry: BibEntry]> {
  const folder = posix.dirname(path);
  for (const entry of entries) {
    for (const file of entry.files) {
      // Programs write paths of another machine: then the name counts, in the folder of the bibliography.
      const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(file);
      yield [withoutExtension(posix.join(folder, isAbsolute ? posix.basename(file) : file)), entry];
      yield [withoutExtension(posix.join(folder, posix.basename(file))), entry];
    }
  }
  for (const entry of entries) {
    if (entry.key !== "") yield [posix.join(folder, entry.key.replaceAll(/[:/]/g, "_")).toLowerCase(), entry];
  }
  if (entries.length === 1) yield [withoutExtension(path), entries[0]!];
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./]*$/, "").toLowerCase();
}

function completed(record: FileRecord, entry: BibEntry | undefined): FileRecord {
  const { own, title, metadata, ...rest } = record;
  if (entry === undefined && own === undefined) return record;
  const before = own ?? present({ title, metadata });
  const now = entry === undefined ? before : present({
    title: entry.title ?? before.title,
    metadata: present({
      ...united(entry.metadata, before.metadata),
      authors: entry.metadata?.authors ?? before.metadata?.authors,
    }),
    own: before,
  });
  const made: FileRecord = { ...rest, ...now };
  return JSON.stringify([made.title, made.metadata, made.own]) === JSON.stringify([title, metadata, own])
    ? record
    : made;
}
