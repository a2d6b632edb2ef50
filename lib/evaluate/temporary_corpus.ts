import { basename, dirname, join } from "node:path";
import type { Config } from "../config/mod.ts";
import { ingest } from "../ingest/mod.ts";
import type { IngestContext } from "../ingest/types.ts";
import { missingDocuments } from "./missing_documents.ts";
import type { CollectionDocument, Corpus } from "./types.ts";

/**
 * Writes the documents of a collection as Markdown files to a temporary folder, which is removed on disposal. It is
 * indexed as any folder is, without being noted among the user's.
 */
export async function temporaryCorpus(
  documents: readonly CollectionDocument[],
  context: Pick<IngestContext, "log" | "version">,
  { onWritten = () => {}, signal }: { onWritten?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<Corpus> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-eval-" }));
  const root = join(top, "documents");
  const remove = () => Deno.remove(top, { recursive: true });
  try {
    for (const [at, { title, text }] of documents.entries()) {
      signal?.throwIfAborted();
      // A file's name is searched as well, the name of the folder it is in is not.
      const folder = join(root, String(at));
      await Deno.mkdir(folder, { recursive: true });
      const heading = title.trim();
      await Deno.writeTextFile(
        join(folder, "document.md"),
        heading === "" ? text : `# ${heading}\n\n${text}`,
      );
      onWritten(at + 1);
    }
    await Deno.mkdir(root, { recursive: true });
  } catch (error) {
    await remove();
    throw error;
  }
  let built: { readonly settings: string; readonly seconds: number } | undefined;
  const titles = new Map(documents.map(({ id, title }) => [id, oneLine(title)]));
  const known = new Set(titles.keys());
  return {
    root,
    documents: documents.length,
    async index(config, options) {
      const settings = JSON.stringify([config.chunking, config.embedding]);
      if (settings !== built?.settings) {
        built = undefined;
        const own = { ...context, stateDir: join(top, "state") };
        const { seconds } = await ingest(root, ofCollection(config), own, { full: true, ...options });
        built = { settings, seconds };
      }
      return built.seconds;
    },
    documentOf: (filePath) => documents[Number(basename(dirname(filePath)))]!.id,
    labelOf: (id) => [id, titles.get(id)].filter((part) => part).join(" "),
    missing: (set) => missingDocuments(set, known),
    [Symbol.asyncDispose]: remove,
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
