/**
 * Documents whose files are on another machine: their texts are put together from the chunks of the index. Lines without text between
 * chunks are empty, so that the numbers of lines stay those of the file.
 */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Document, Page, Section } from "#documents/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import type { StoredChunk, StoredFile } from "#engine/index/mod.ts";
import { isFullPath, isHostilePath, isInside, type Resolved, toPortable } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { resolveServed, type ServedCollection } from "./served_collections.ts";
import type { ServedFolder } from "./served_folders.ts";
import type { ServedDocument } from "./types.ts";

/** The file at a path in the indexes of folders that are on another machine; `undefined` if there is none. Throws `path_ambiguous`. */
export async function storedFile(
  path: string,
  folders: readonly ServedFolder[],
  collections: readonly ServedCollection[],
): Promise<Resolved & { readonly stored: StoredFile } | undefined> {
  const known = new Map<string, StoredFile>();
  const resolve = async (asked: string, roots: readonly string[]): Promise<Resolved> => {
    const plain = plainPath(asked);
    const found: Resolved[] = [];
    for (const folder of plain === undefined ? [] : folders.filter(({ root }) => roots.includes(root))) {
      const relative = relativeTo(folder.root, plain!);
      const file = relative === undefined ? undefined : await folder.fileAt(relative);
      if (file === undefined) continue;
      const real = folder.pathOf(file.path);
      known.set(real, file);
      found.push({ real, root: folder.root, relative: file.path });
    }
    if (found.length > 1) throw new UserError("path_ambiguous", { path: asked });
    if (found.length === 0) throw new UserError("file_not_found", { path: asked });
    return found[0]!;
  };
  try {
    const found = await resolveServed(path, folders.map(({ root }) => root), collections, resolve);
    return { ...found, stored: known.get(found.real)! };
  } catch (error) {
    if (error instanceof UserError && error.key === "file_not_found") return undefined;
    throw error;
  }
}

/** A path without the scheme of a `file:` URL; `undefined` for one that no file has. */
function plainPath(path: string): string | undefined {
  try {
    const plain = /^\s*file:/i.test(path) ? fileURLToPath(path.trim().replace(/[?#].*$/s, "")) : path.trim();
    return plain === "" || isHostilePath(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** The path below a folder, with `/`; `undefined` if it is outside. */
function relativeTo(root: string, path: string): string | undefined {
  const relative = isFullPath(path) ? isInside(path, root) ? path.slice(root.length) : undefined : path;
  return relative === undefined ? undefined : toPortable(relative).replace(/^(?:\.?\/)+/, "");
}

/** Returns a document as its chunks have it. Throws `file_not_found` if the index has lost it meanwhile. */
export async function storedDocument(
  folder: ServedFolder,
  { path, sha256 }: StoredFile,
): Promise<ServedDocument> {
  await folder.refresh();
  using lease = folder.lease();
  const file = lease?.index.files.find((file) => file.path === path);
  if (lease === undefined || file === undefined) throw new UserError("file_not_found", { path });
  const { size, mtimeMs, format = "text" } = file;
  return {
    document: await joinedDocument(lease.index, file),
    format,
    path: folder.pathOf(path),
    name: basename(path),
    size,
    modified: new Date(mtimeMs),
    sha256,
    isStored: true,
  };
}

async function joinedDocument(index: OpenIndex, file: StoredFile): Promise<Document> {
  const numbers = Int32Array.from({ length: file.chunkCount }, (_, i) => file.firstChunk + i);
  const [chunks, texts] = await Promise.all([index.chunks(numbers), index.texts(numbers, Infinity)]);
  const parts: string[] = [];
  const sections: Growing<Section>[] = [], open: Growing<Section>[] = [];
  const pages: Growing<Page>[] = [];
  let length = 0, end = 0, line = 1;
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
    line += text.split("\n").length - 1;
  };
  for (const [i, chunk] of chunks.entries()) {
    if (chunk.startLine > line) add("\n".repeat(chunk.startLine - line));
    else if (chunk.start > end && length > 0) add(" ");
    const from = length;
    // Neighbours may share some text.
    add(texts[i]!.slice(Math.max(0, end - chunk.start)));
    end = Math.max(end, chunk.end);
    addSections(sections, open, chunk, [from, length]);
    const page = pages.at(-1);
    if (chunk.page === undefined) continue;
    if (page?.number === chunk.page) page.end = length;
    else if (page === undefined || chunk.page > page.number) {
      pages.push({ number: chunk.page, start: from, end: length });
    }
  }
  return present({
    text: parts.join(""),
    title: file.title,
    metadata: file.metadata,
    sections,
    pages: pages.length > 0 ? pages : undefined,
    emptyPages: file.emptyPages,
  });
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

/** Begins the sections of a chunk that the one before was not in, and lengthens the others. `open`: those of the chunk before. */
function addSections(
  sections: Growing<Section>[],
  open: Growing<Section>[],
  { section }: StoredChunk,
  [start, end]: readonly [number, number],
): void {
  const same = section.findIndex((title, i) => open[i]?.title !== title);
  open.length = Math.min(open.length, same < 0 ? section.length : same);
  for (const [i, title] of section.entries()) {
    if (i < open.length) open[i]!.end = end;
    else {
      open.push({ path: section.slice(0, i + 1), title, level: i + 1, start, headingEnd: start, end });
      sections.push(open[i]!);
    }
  }
}
