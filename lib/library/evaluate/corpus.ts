/** The documents of an evaluation: a folder of the user, or a test collection in a temporary one. */
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import { openReady, openStore, type StoreAccess } from "#library/store/mod.ts";
import { documentName } from "./questions.ts";
import type { Corpus, ModelsOf, QuerySet, TestDocument } from "./types.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { ingest, makeNeuralVectors } from "#library/ingest/mod.ts";
import type { IngestContext } from "#library/ingest/types.ts";
import { present } from "#foundation/present.ts";
import { TemporaryFolder, temporaryPath } from "#foundation/boundary/mod.ts";

/** Returns a corpus of a folder (its real path) and its index as it is. Throws `UserError` `index_not_ready`. */
export async function folderCorpus(
  root: string,
  config: Config,
  context: StoreAccess & { readonly models?: ModelsOf },
): Promise<Corpus> {
  const { indexKey: key, indexDirs, models = () => Promise.resolve(undefined) } = context;
  using index = await openReady(openStore(config, root, context));
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
function missingDocuments({ queries }: QuerySet, known: ReadonlySet<string>): string[] {
  const relevant = queries.flatMap(({ targets }) => targets.filter(({ gain }) => gain > 0));
  return [...new Set(relevant.map(({ document }) => document)).difference(known)];
}

/** Options of {@linkcode temporaryCorpus}. */
interface TemporaryOptions {
  /** Path of the folder to create; must not exist. Default: a new path in the system's temporary folder. */
  readonly tempDir?: string;
  /** Called with the number of documents written so far. */
  readonly onWritten?: (done: number) => void;
  readonly signal?: AbortSignal;
  /** Default: no configuration has local models. */
  readonly models?: ModelsOf;
}

/**
 * Writes the documents of a test collection as Markdown files to a temporary folder, which is removed on disposal. The
 * folder is indexed like any other but not added to the user's registry.
 */
export async function temporaryCorpus(
  documents: readonly TestDocument[],
  context: Pick<IngestContext, "log" | "version" | "indexKey">,
  {
    tempDir = temporaryPath(tmpdir()),
    onWritten = () => {},
    signal,
    models = () => Promise.resolve(undefined),
  }: TemporaryOptions = {},
): Promise<Corpus> {
  const top = await TemporaryFolder.make(tempDir);
  let root: string;
  try {
    root = await top.makeFolder("documents");
    for (const [at, { title, text }] of documents.entries()) {
      signal?.throwIfAborted();
      // All files have the same name, because file names are indexed. Names of folders are not.
      const heading = title.trim();
      await top.write(`documents/${at}/document.md`, heading === "" ? text : `# ${heading}\n\n${text}`);
      onWritten(at + 1);
    }
  } catch (error) {
    await top[Symbol.asyncDispose]();
    throw error;
  }
  let built: { readonly settings: string; readonly seconds: number } | undefined;
  const titles = new Map(documents.map(({ id, title }) => [id, oneLine(title)]));
  const known = new Set(titles.keys());
  return {
    root,
    key: context.indexKey,
    documents: documents.length,
    models,
    async index(config, options) {
      const settings = JSON.stringify([config.chunking, config.embedding]);
      if (settings !== built?.settings) {
        built = undefined;
        const own = { ...context, stateDir: top.at("state") };
        const began = performance.now();
        await ingest(root, ofCollection(config), own, { full: true, ...options });
        const opened = await models(config);
        if (opened !== undefined) {
          const { signal, onVectors: onProgress } = options;
          await makeNeuralVectors(openStore(config, root, context), opened, present({ signal, onProgress }));
        }
        built = { settings, seconds: (performance.now() - began) / 1000 };
      }
      return built.seconds;
    },
    rules: ofCollection,
    documentOf: (filePath) => documents[Number(basename(dirname(filePath)))]!.id,
    labelOf: (id) => [id, titles.get(id)].filter((part) => part).join(" "),
    missing: (set) => missingDocuments(set, known),
    [Symbol.asyncDispose]: () => top[Symbol.asyncDispose](),
  };
}

/** Resets the settings that select files: they are meant for the user's folders. */
function ofCollection(config: Config): Config {
  const files = { ...config.files, include: [], exclude: [], "ignore_files": false, encoding: "auto" };
  return { ...config, files };
}

/** Joins the lines of a title, because a heading must be one line. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, " ").trim();
}
