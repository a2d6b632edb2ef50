import { sep } from "node:path";
import type { IndexedFolder, Library, ServedCollection, StoredFile } from "../../search/mod.ts";
import { folderNamed } from "../_collections.ts";
import { parseResourceUri, resourceUri } from "./uri.ts";

/** A document that clients can read as a resource. */
export interface ListedResource {
  readonly folder: ServedCollection;
  readonly file: StoredFile;
}

/** The documents of the served folders, ordered by folder and path. */
export class DocumentList {
  /** Number of each folder by its path. */
  readonly #order: ReadonlyMap<string, number>;

  constructor(
    readonly folders: readonly ServedCollection[],
    readonly documents: readonly ListedResource[],
  ) {
    this.#order = new Map(folders.map(({ root }, i) => [root, i]));
  }

  /** Up to `limit` documents after the one of a URI, whether that still exists; `undefined` for a URI of no served folder. */
  after(uri: string | undefined, limit: number): readonly ListedResource[] | undefined {
    if (uri === undefined) return this.documents.slice(0, limit);
    const address = parseResourceUri(uri);
    const folder = address && folderNamed(address.collection, this.folders);
    if (address === undefined || folder === undefined) return undefined;
    const order = this.#order.get(folder.root)!;
    const at = this.documents.findIndex((one) => {
      const difference = this.#order.get(one.folder.root)! - order;
      return difference > 0 || difference === 0 && one.file.path > address.path;
    });
    return at < 0 ? [] : this.documents.slice(at, at + limit);
  }
}

/** The URI of a document. */
export function uriOf({ folder, file }: ListedResource): string {
  return resourceUri(folder.name, file.path);
}

/** The last list of each library. Making one of 100,000 documents takes 0.1 s. */
const LISTS = new WeakMap<Library, { readonly of: readonly IndexedFolder[]; readonly list: DocumentList }>();

/** The indexed documents now. A file of two served folders, one of which is in the other, belongs to the inner one. */
export async function documentList(library: Library): Promise<DocumentList> {
  const indexed = await (await library.catalog()).folders();
  const last = LISTS.get(library);
  const isSame = last !== undefined && last.of.length === indexed.length &&
    last.of.every(({ files }, i) => files === indexed[i]!.files);
  if (isSame) return last.list;
  const folders = library.collections;
  const documents = folders.flatMap((folder) => {
    const inner = indexed.filter(({ root }) => root !== folder.root && root.startsWith(folder.root + sep))
      .map(({ root, files }) => ({
        prefix: root.slice(folder.root.length + 1).replaceAll(sep, "/") + "/",
        paths: new Set(files.filter(isIndexed).map(({ path }) => path)),
      }));
    const isInner = (path: string) =>
      inner.some(({ prefix, paths }) => path.startsWith(prefix) && paths.has(path.slice(prefix.length)));
    return (indexed.find(({ root }) => root === folder.root)?.files ?? [])
      .filter((file) => isIndexed(file) && !isInner(file.path))
      .sort((a, b) => a.path < b.path ? -1 : 1)
      .map((file) => ({ folder, file }));
  });
  const list = new DocumentList(folders, documents);
  LISTS.set(library, { of: indexed, list });
  return list;
}

function isIndexed({ status }: StoredFile): boolean {
  return status === "indexed";
}
