import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import type { Catalog, IndexedFolder, Library, StoredFile } from "#library/search/mod.ts";
import { fakeLibrary } from "../_session.ts";

/** Time of the last change of every file. */
export const MODIFIED = Date.UTC(2026, 0, 2);

/** The record of an indexed file. */
export function file(path: string, changes: Partial<StoredFile> = {}): StoredFile {
  return {
    path,
    size: 10,
    mtimeMs: MODIFIED,
    sha256: path,
    status: "indexed",
    firstChunk: 0,
    chunkCount: 1,
    ...changes,
  };
}

let looks = 0;

/** A catalog with these indexes. */
export function catalogOf(folders: readonly IndexedFolder[]): Catalog {
  return {
    collections: () => Promise.resolve([]),
    folders: () => Promise.resolve([...folders]),
    // Each look finds other indexes.
    version: () => Promise.resolve(String(++looks)),
    documents: () => Promise.resolve({ documents: [], total: 0 }),
    document: (path) => Promise.reject(new UserError("document_not_indexed", { path })),
    chunkContext: (chunk) => Promise.reject(new UserError("chunk_not_found", { chunk })),
    relations: () => Promise.resolve({ links: [], unresolved: [], backlinks: [], sharers: [] }),
    weights: () => Promise.resolve(new Map()),
  };
}

/** A library with indexed files by folder, whose texts are `texts` by full path. */
export function libraryOf(
  folders: Readonly<Record<string, readonly StoredFile[]>>,
  texts: Readonly<Record<string, string>> = {},
): Library {
  const indexed = Object.entries(folders).map(([root, files]) => ({ root, files }));
  return fakeLibrary({
    roots: Object.keys(folders),
    catalog: () => Promise.resolve(catalogOf(indexed)),
    readDocument: (path) => {
      const text = Object.entries(texts).find(([name]) => join(name) === path)?.[1];
      if (text === undefined) return Promise.reject(new UserError("file_not_found", { path }));
      return Promise.resolve({
        document: { text, sections: [] },
        format: path.endsWith(".pdf") ? "pdf" : "text",
        path,
        name: path.replace(/.*[/\\]/, ""),
        sha256: "0".repeat(64),
        size: text.length,
        modified: new Date(MODIFIED),
      });
    },
  });
}
