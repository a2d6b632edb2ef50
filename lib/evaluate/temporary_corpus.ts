import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import type { Config } from "../config/mod.ts";
import { ingest } from "../ingest/mod.ts";
import type { IngestContext } from "../ingest/types.ts";
import { TemporaryFolder, temporaryPath } from "../sandbox/mod.ts";
import { missingDocuments } from "./missing_documents.ts";
import type { CollectionDocument, Corpus } from "./types.ts";

/** How {@linkcode temporaryCorpus} works. */
export interface TemporaryOptions {
  /** Where the temporary folder is made: nothing may be there. Default: where the system has such. */
  readonly tempDir?: string;
  /** Hears how many documents are written. */
  readonly onWritten?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Writes the documents of a collection as Markdown files to a temporary folder, which is removed on disposal. It is
 * indexed as any folder is, without being noted among the user's.
 */
export async function temporaryCorpus(
  documents: readonly CollectionDocument[],
  context: Pick<IngestContext, "log" | "version" | "indexKey">,
  { tempDir = temporaryPath(tmpdir()), onWritten = () => {}, signal }: TemporaryOptions = {},
): Promise<Corpus> {
  const top = await TemporaryFolder.make(tempDir);
  let root: string;
  try {
    root = await top.makeFolder("documents");
    for (const [at, { title, text }] of documents.entries()) {
      signal?.throwIfAborted();
      // A file's name is searched as well, the name of the folder it is in is not.
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
    async index(config, options) {
      const settings = JSON.stringify([config.chunking, config.embedding]);
      if (settings !== built?.settings) {
        built = undefined;
        const own = { ...context, stateDir: top.at("state") };
        const { seconds } = await ingest(root, ofCollection(config), own, { full: true, ...options });
        built = { settings, seconds };
      }
      return built.seconds;
    },
    documentOf: (filePath) => documents[Number(basename(dirname(filePath)))]!.id,
    labelOf: (id) => [id, titles.get(id)].filter((part) => part).join(" "),
    missing: (set) => missingDocuments(set, known),
    [Symbol.asyncDispose]: () => top[Symbol.asyncDispose](),
  };
}

/** Which files of a folder are taken is a matter of the user's files, not of these. */
function ofCollection(config: Config): Config {
  const files = { ...config.files, include: [], exclude: [], "ignore_files": false, encoding: "auto" };
  return { ...config, files };
}

/** A title may be broken into lines; a heading may not. */
function oneLine(title: string): string {
  return title.replace(/\s+/g, " ").trim();
}
