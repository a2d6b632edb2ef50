/** The calls of the page Ingestion: updates with their progress and the end of each file, and files that are kept out. */
import { Hono } from "hono/tiny";
import * as z from "zod";
import { folderConfig } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { folded } from "#foundation/written_values.ts";
import { tooLarge, walkOptions } from "#library/corpus/mod.ts";
import { reasonText } from "#library/ingest/mod.ts";
import type { ServedCollection } from "#library/search/mod.ts";
import { openStore } from "#library/store/mod.ts";
import { isInside } from "#foundation/boundary/mod.ts";
import { addUserFile } from "#foundation/boundary/user_file.ts";
import type { Upkeep } from "#server/mod.ts";
import { bodyOf, languageOf, linesOf } from "../answers.ts";
import { collectionNamed, FOLDER, OFFSET, PATH, TEXT } from "../forms.ts";
import { progressOf, type Run, Runs } from "../runs.ts";
import type { PagesParts, PagesWork } from "../parts.ts";
import {
  ALL_ENDS,
  type ChangedAnswer,
  type EndsAnswer,
  type IngestionAnswer,
  MOST_AT_ONCE,
  MOST_ENDS,
  type OutAnswer,
  type StartAnswer,
  type UploadAnswer,
  type WatchLine,
  type WireFolder,
  type WireRun,
} from "../wire/ingestion.ts";

const PATHS = z.array(PATH).min(1).max(MOST_AT_ONCE);

const START = z.object({ folder: TEXT, full: z.boolean().optional() });
const RUN = z.object({ run: TEXT });
const TAKE_OUT = z.object({ paths: PATHS });
const GIVE_BACK = z.object({ folder: TEXT, paths: PATHS });
/** Most characters of a file in base64, below the limit of the body (`LARGE_BODIES`). */
const MOST_BASE64 = 60_000_000;
const UPLOAD = z.object({ folder: TEXT, name: TEXT, data: z.string().max(MOST_BASE64) });
const ENDS = z.object({
  run: TEXT,
  end: z.enum(ALL_ENDS).optional(),
  text: TEXT.optional(),
  offset: OFFSET,
  limit: z.int().min(1).max(MOST_ENDS).optional(),
});

/** The runs of each server, shared by all who may start some. */
const RUNS = new WeakMap<Upkeep, Runs>();

export function ingestionRoutes(parts: PagesParts): Hono {
  const { log, signal } = parts;
  const runsOf = (): Runs => {
    const { upkeep } = allowed(parts);
    const runs = RUNS.get(upkeep) ?? new Runs(upkeep, signal);
    RUNS.set(upkeep, runs);
    return runs;
  };
  const wire = (run: Run, language: Language) => wireRun(run, parts, language);
  return new Hono()
    .post("/state", async (c) => {
      const language = languageOf(c);
      const { upkeep, work } = parts;
      if (upkeep === undefined || work === undefined) {
        return c.json({ folders: [], runs: [] } satisfies IngestionAnswer);
      }
      const runs = runsOf();
      const folders = await Promise.all(
        parts.library.collections.map((collection) => folderOf(collection, upkeep, work, runs)),
      );
      const answer: IngestionAnswer = { folders, runs: runs.all.map((run) => wire(run, language)) };
      return c.json(answer);
    })
    .post("/start", async (c) => {
      const { folder, full = false } = await bodyOf(c, START);
      const { run, isNew } = runsOf().start(collectionNamed(folder, parts.library.collections).root, full);
      const answer: StartAnswer = { run: wire(run, languageOf(c)), isNew };
      return c.json(answer);
    })
    .post("/watch", async (c) => {
      const run = runsOf().named((await bodyOf(c, RUN)).run);
      const language = languageOf(c);
      return linesOf<WatchLine>(c, log, async (send, signal) => {
        for await (const _ of run.changes(signal)) await send({ run: wire(run, language) });
      });
    })
    .post("/cancel", async (c) => {
      runsOf().named((await bodyOf(c, RUN)).run).cancel();
      return c.json({});
    })
    .post("/ends", async (c) => {
      const { run, end, text = "", offset = 0, limit = MOST_ENDS } = await bodyOf(c, ENDS);
      const wanted = folded(text);
      const found = runsOf().named(run).ends.filter((one) =>
        (end === undefined || one.end === end) && (wanted === "" || folded(one.path).includes(wanted))
      );
      const language = languageOf(c);
      const answer: EndsAnswer = {
        total: found.length,
        ends: found.slice(offset, offset + limit).map((file) => ({
          path: file.path,
          end: file.end,
          ...(file.reason !== undefined && { reason: reasonText(file, language) }),
        })),
      };
      return c.json(answer);
    })
    .post("/out", async (c) => {
      const { root } = collectionNamed((await bodyOf(c, FOLDER)).folder, parts.library.collections);
      const paths = await storeOf(root, allowed(parts).work).removed.paths();
      return c.json({ paths: [...paths].sort() } satisfies OutAnswer);
    })
    .post("/take_out", async (c) => {
      const { paths } = await bodyOf(c, TAKE_OUT);
      const { work } = allowed(parts);
      const catalog = await parts.library.catalog();
      /** The files to take out of each folder. A file may be in two: one folder lies in another. */
      const byRoot = new Map<string, Set<string>>();
      for (const { root, files } of await catalog.folders()) {
        const known = new Set(files.map(({ path }) => path));
        const own = paths.flatMap((path) => isInside(path, root) ? relativeTo(root, path) : [])
          .filter((path) => known.has(path));
        if (own.length > 0) byRoot.set(root, new Set(own));
      }
      if (byRoot.size === 0) throw new UserError("document_not_indexed", { path: paths[0]! });
      return c.json(await changed(byRoot, "add", work, languageOf(c)));
    })
    .post("/give_back", async (c) => {
      const { folder, paths } = await bodyOf(c, GIVE_BACK);
      const { root } = collectionNamed(folder, parts.library.collections);
      const byRoot = new Map([[root, new Set(paths)]]);
      return c.json(await changed(byRoot, "delete", allowed(parts).work, languageOf(c)));
    })
    .post("/upload", async (c) => {
      const { folder, name, data } = await bodyOf(c, UPLOAD);
      const { root } = collectionNamed(folder, parts.library.collections);
      const { work } = allowed(parts);
      if (!work.uploads.includes(root)) throw new UserError("upload_not_allowed", { folder });
      const bytes = bytesOf(data);
      const limit = uploadLimit(root, work);
      if (bytes.length > limit) throw tooLarge(name, bytes.length, limit);
      const path = await addUserFile(root, name, bytes);
      log.info("pages.added", { root, path, bytes: bytes.length });
      const answer: UploadAnswer = { path, run: wire(runsOf().startAfter(root), languageOf(c)) };
      return c.json(answer);
    });

  /** Changes the lists of files that are kept out, and updates the folders. */
  async function changed(
    byRoot: ReadonlyMap<string, ReadonlySet<string>>,
    change: "add" | "delete",
    work: PagesWork,
    language: Language,
  ): Promise<ChangedAnswer> {
    let count = 0;
    const runs: WireRun[] = [];
    for (const [root, own] of byRoot) {
      const files = await storeOf(root, work).removed[change](own);
      if (files === 0) continue;
      count += files;
      log.info(change === "add" ? "pages.taken_out" : "pages.given_back", { root, files });
      runs.push(wire(runsOf().startAfter(root), language));
    }
    return { count, runs };
  }
}

/** The parts that updates need. Throws `UserError` `ingest_not_allowed`. */
function allowed({ upkeep, work }: PagesParts) {
  if (upkeep === undefined || work === undefined) throw new UserError("ingest_not_allowed");
  return { upkeep, work };
}

function storeOf(root: string, work: PagesWork) {
  return openStore(work.config, root, work);
}

/** Most bytes of a file that may be added: those of a file that is read, and of a body. */
function uploadLimit(root: string, { config }: PagesWork): number {
  return Math.min(walkOptions(folderConfig(config, root)).maxFileBytes, MOST_BASE64 / 4 * 3);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (cause) {
    throw new UserError("upload_no_bytes", {}, { cause });
  }
}

/** The path of a file below its folder, `/` between its parts. */
function relativeTo(root: string, path: string): string {
  return path.slice(root.length).replaceAll("\\", "/").replace(/^\/+/, "");
}

async function folderOf(
  { name, root }: ServedCollection,
  upkeep: Upkeep,
  work: PagesWork,
  runs: Runs,
): Promise<WireFolder> {
  const store = storeOf(root, work);
  const isOurs = runs.isRunning(root);
  const own = isOurs ? undefined : await upkeep.underWay(root);
  // A command in another process is seen by its lock, before an update of this process meets it.
  const isElsewhere = !isOurs && own?.isElsewhere !== false && await store.isLocked();
  const progress = own?.progress && progressOf(own.progress);
  const isWorking = isElsewhere || own?.isElsewhere === false;
  return {
    name,
    root,
    hasIndex: await store.exists(),
    out: (await store.removed.paths()).size,
    ...(work.uploads.includes(root) && { upload: { maxBytes: uploadLimit(root, work) } }),
    ...(isWorking && { work: present({ isElsewhere, progress }) }),
  };
}

function wireRun(run: Run, { library }: PagesParts, language: Language): WireRun {
  const { error, summary } = run;
  const { name = run.root } = library.collections.find(({ root }) => root === run.root) ?? {};
  return present({
    id: run.id,
    folder: name,
    full: run.full,
    began: run.began,
    ended: run.ended,
    state: run.state,
    progress: run.progress,
    reason: error &&
      (error instanceof UserError
        ? message(language, error.key, error.params)
        : message(language, "pages_failed", { reason: error.message })),
    counts: run.counts,
    warnings: summary?.warnings,
  });
}
