import type { IndexKey } from "../index/mod.ts";
import { folderStore, type IndexDirs, openReady } from "../store/mod.ts";
import { documentName } from "./query_file.ts";
import type { Corpus, ModelsOf, QuerySet } from "./types.ts";

/** Returns a corpus of a folder (its real path) and its index as it is. Throws `UserError` `index_not_ready`. */
export async function folderCorpus(
  root: string,
  key: IndexKey,
  { indexDirs, models = () => Promise.resolve(undefined) }: {
    readonly indexDirs?: IndexDirs | undefined;
    readonly models?: ModelsOf;
  } = {},
): Promise<Corpus> {
  using index = await openReady(folderStore(root, key, indexDirs));
  const known = new Set(
    index.files.filter(({ status }) => status === "indexed").map(({ path }) => path.normalize("NFC")),
  );
  return {
    root,
    key,
    indexDirs,
    models,
    documents: known.size,
    index: () => Promise.resolve(undefined),
    rules: (config) => config,
    documentOf: (filePath) => documentName(filePath, root),
    labelOf: (document) => document,
    missing: (set) => missingDocuments(set, known),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Returns the relevant documents of a set that are not in `known`, each once. */
export function missingDocuments({ queries }: QuerySet, known: ReadonlySet<string>): string[] {
  const relevant = queries.flatMap(({ targets }) => targets.filter(({ gain }) => gain > 0));
  return [...new Set(relevant.map(({ document }) => document)).difference(known)];
}
