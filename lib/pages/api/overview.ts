/** The calls of the page Overview: the components in use, the collections, and what `doctor` says. */
import { Hono } from "hono/tiny";
import { type Config, readsPictures, serverAddress } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { CollectionInfo } from "#library/search/mod.ts";
import { readTraces, type TraceKind } from "#traces/mod.ts";
import { languageOf } from "../answers.ts";
import type { PagesParts, PagesWork } from "../parts.ts";
import type { LastRun, OverviewAnswer, WireCollection, WireComponent } from "../wire/overview.ts";

export function overviewRoutes(parts: PagesParts): Hono {
  const { library, config, version, upkeep, work, signal } = parts;
  return new Hono()
    .post("/state", async (c) => {
      const infos = await (await library.catalog()).collections();
      const collections = await Promise.all(infos.map(async (info) => {
        const isUpdating = await upkeep?.underWay(info.root) !== undefined;
        return collection(info, isUpdating);
      }));
      const [lastIngestion, lastQuery] = await Promise.all([
        lastRun(work, "ingestion"),
        lastRun(work, "query"),
      ]);
      const answer: OverviewAnswer = present({
        version,
        components: componentsOf(config, { withPlaces: work !== undefined }),
        collections,
        lastIngestion: lastIngestion ?? lastWritten(infos),
        lastQuery,
        canCheck: work !== undefined,
      });
      return c.json(answer);
    })
    .post("/doctor", async (c) => {
      if (work === undefined) throw new UserError("ingest_not_allowed");
      return c.json(await work.doctor(languageOf(c), AbortSignal.any([signal, c.req.raw.signal])));
    });
}

function collection(info: CollectionInfo, isUpdating: boolean): WireCollection {
  const { name, description, root, state, documents, chunks, notIndexed, pictures } = info;
  const { languageChunks: languages, model, indexedAt, newerFiles, indexBytes } = info;
  return present({
    name,
    description,
    root,
    state,
    documents,
    chunks,
    notIndexed,
    pictures,
    languages,
    model,
    indexedAt: indexedAt?.toISOString(),
    newerFiles,
    indexBytes,
    isUpdating: isUpdating || undefined,
  });
}

/** The newest trace of a kind, if runs are traced. */
async function lastRun(work: PagesWork | undefined, kind: TraceKind): Promise<LastRun | undefined> {
  const traces = await work?.traces();
  if (work === undefined || traces === undefined) return undefined;
  await traces.flush();
  const { dir } = work.config.log;
  const inMemory = traces.recent().find((record) => record.kind === kind);
  const [newest] = inMemory !== undefined
    ? [inMemory]
    : dir === null
    ? []
    : (await readTraces(dir, { kind, limit: 1 })).records;
  return newest && { at: newest.started, ms: newest.ms, trace: newest.id };
}

/** The time at which the newest index was written. */
function lastWritten(infos: readonly CollectionInfo[]): LastRun | undefined {
  const times = infos.flatMap(({ indexedAt }) => indexedAt?.getTime() ?? []);
  return times.length === 0 ? undefined : { at: new Date(Math.max(...times)).toISOString() };
}

/**
 * The components that a configuration chooses, in the order in which a document and a question pass them. `withPlaces`: also the folders of
 * models and the hosts of servers, which clients with limits are not told.
 */
export function componentsOf(config: Config, { withPlaces = true } = {}): WireComponent[] {
  const served = (section: Parameters<typeof serverOf>[0]) => serverOf(section, withPlaces);
  const { files, chunking, embedding, search, rerank, llm, vision_llm: vision } = config;
  return [
    {
      stage: "load",
      method: "loaders",
      facts: { max_file_mb: files.max_file_mb, archives: files.archives, pictures: readsPictures(config) },
    },
    files.ocr === "off"
      ? { stage: "recognise", provider: "none", facts: { ocr: files.ocr } }
      : { stage: "recognise", method: "tesseract", facts: { ocr: files.ocr } },
    {
      stage: "split",
      method: chunking.strategy,
      facts: { max_chars: chunking.max_chars, overlap: chunking.overlap, tables: chunking.tables },
    },
    {
      stage: "embed",
      provider: embedding.provider,
      ...served(embedding),
      ...(embedding.provider === "local" && withPlaces && {
        facts: present({
          zh: embedding.local.zh.path ?? undefined,
          en: embedding.local.en.path ?? undefined,
        }),
      }),
    },
    { stage: "keyword", method: "bm25", facts: { fts_topn: search.fts_topn } },
    {
      stage: "fusion",
      method: search.fusion,
      facts: { mode: search.mode, legs: search.legs, vec_topn: search.vec_topn },
    },
    {
      stage: "rerank",
      provider: search.rerank ? rerank.provider : "none",
      ...served(rerank),
      facts: { top_m: rerank.top_m, timeout_seconds: rerank.timeout_seconds },
    },
    {
      stage: "answer",
      provider: llm.provider,
      ...served(llm),
      facts: { tasks: llm.tasks.filter((task) => task !== "caption") },
    },
    {
      stage: "caption",
      provider: vision.provider,
      ...served(vision),
      facts: { tasks: llm.tasks.filter((task) => task === "caption") },
    },
  ].map((component) => ({ facts: {}, ...component }));
}

/** The model of a section, and the host of its server. */
function serverOf(
  section: { readonly provider: string; readonly base_url: string | null; readonly model: string | null },
  withPlaces: boolean,
): Pick<WireComponent, "model" | "server"> {
  const address = withPlaces ? serverAddress(section) : undefined;
  return present({
    model: section.provider === "none" ? undefined : section.model ?? undefined,
    server: address === undefined ? undefined : new URL(address).host,
  });
}
