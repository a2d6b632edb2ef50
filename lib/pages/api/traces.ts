/** The calls of the pages of traces: lists, one trace, and a question asked again with other settings. */
import { Hono } from "hono/tiny";
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { SearchRequest } from "#library/search/mod.ts";
import {
  passes,
  readTrace,
  readTraces,
  summaryOf,
  type TraceFilter,
  type TraceRecord,
  type Traces,
  type TraceSummary,
} from "#traces/mod.ts";
import { bodyOf, languageOf } from "../answers.ts";
import { HIT_OFFSET, RANKING, SEARCH_SETTINGS, TEXT } from "../forms.ts";
import type { PagesParts, PagesWork } from "../parts.ts";
import {
  MOST_TRACES,
  type ReplayAnswer,
  type TraceAnswer,
  type TraceListAnswer,
  type TraceListCall,
  type WireTraceSummary,
} from "../wire/traces.ts";
import { searchResult } from "./search.ts";

const KIND = z.enum(["query", "ingestion"]);
const ID = z.string().regex(/^[0-9a-f]{32}$/);
const MOMENT = z.iso.datetime({ offset: true });

const LIST = z.object({
  kind: KIND,
  text: TEXT.optional(),
  minMs: z.number().min(0).optional(),
  failed: z.boolean().optional(),
  fallback: z.boolean().optional(),
  after: MOMENT.optional(),
  before: MOMENT.optional(),
});

const REPLAY = z.object({
  id: ID,
  settings: z.object({ ...SEARCH_SETTINGS, ranking: RANKING }),
});

/** Traces name documents and questions of everybody, so clients with limits see none. */
export function tracesRoutes({ library, work }: PagesParts): Hono {
  return new Hono()
    .post("/list", async (c) => {
      const call = present(await bodyOf(c, LIST)) as TraceListCall;
      const { traces, dir } = await placesOf(work);
      await traces?.flush();
      const answer: TraceListAnswer = {
        ...await listed(call, traces?.recent() ?? [], dir),
        isOff: traces === undefined,
      };
      return c.json(answer);
    })
    .post("/show", async (c) => {
      const { id } = await bodyOf(c, z.object({ id: ID }));
      return c.json(shownTrace(await traceWith(id, work)));
    })
    .post("/replay", async (c) => {
      const { id, settings } = await bodyOf(c, REPLAY);
      const request = requestOf(await traceWith(id, work));
      if (request === undefined) throw new UserError("trace_without_question");
      const { signal } = c.req.raw;
      const ask = async (request: SearchRequest) => {
        const began = performance.now();
        const answer = await library.search(request, signal);
        const { hits } = searchResult(answer, library, { language: languageOf(c) });
        return [hits, performance.now() - began] as const;
      };
      const changed = { ...request, ...settings, ranking: { ...request.ranking, ...settings.ranking } };
      const [before, msBefore] = await ask(request);
      const [after, msAfter] = await ask(present(changed) as SearchRequest);
      const answer: ReplayAnswer = { before, after, ms: [msBefore, msAfter] };
      return c.json(answer);
    });
}

/** The recorder, and the folder of its files. Throws `UserError` `traces_not_shown` for a client with limits. */
async function placesOf(
  work: PagesWork | undefined,
): Promise<{ readonly traces: Traces | undefined; readonly dir: string | null }> {
  if (work === undefined) throw new UserError("traces_not_shown");
  return { traces: await work.traces(), dir: work.config.log.dir };
}

/** Those of memory, which have texts, and those of the files, each once. */
async function listed(
  call: TraceListCall,
  recent: readonly TraceRecord[],
  dir: string | null,
): Promise<Omit<TraceListAnswer, "isOff">> {
  const filter: TraceFilter = { ...call, limit: MOST_TRACES + 1 };
  const inMemory = recent.filter((record) => passes(record, filter)).map(summaryOf);
  const known = new Set(recent.map(({ id }) => id));
  const { records, torn } = dir === null ? { records: [], torn: 0 } : await readTraces(dir, filter);
  const all = [...inMemory, ...records.filter(({ id }) => !known.has(id))]
    .sort((a, b) => Date.parse(b.started) - Date.parse(a.started));
  return { traces: all.slice(0, MOST_TRACES).map(wireSummary), more: all.length > MOST_TRACES, torn };
}

async function traceWith(id: string, work: PagesWork | undefined): Promise<TraceRecord> {
  const { traces, dir } = await placesOf(work);
  await traces?.flush();
  const record = traces?.find(id) ?? (dir === null ? undefined : await readTrace(dir, id));
  if (record === undefined) throw new UserError("trace_unknown", { id });
  return record;
}

function shownTrace(record: TraceRecord): TraceAnswer {
  const { program, pid, facts, texts, spans, dropped } = record;
  return present({
    ...wireSummary(summaryOf(record)),
    program,
    pid,
    facts,
    texts,
    spans,
    dropped,
    canReplay: requestOf(record) !== undefined,
  });
}

function wireSummary({ id, kind, started, ms, stages, facts, texts, error }: TraceSummary): WireTraceSummary {
  const text = [texts?.question, texts?.root, texts?.path].find((value) => typeof value === "string");
  const { method, counts } = facts;
  return present({
    id,
    kind,
    started,
    ms,
    stages,
    text: text as string | undefined,
    method: typeof method === "string" ? method : undefined,
    counts: numbersIn(counts),
    error,
  });
}

/** The counts of a file that anyone may have changed. */
function numbersIn(counts: unknown): Record<string, number> {
  if (typeof counts !== "object" || counts === null) return {};
  return Object.fromEntries(
    Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

/** The form of a request that a trace keeps. One from a file may have been changed by anyone. */
const REQUEST = z.looseObject({
  query: z.string().min(1),
  ...SEARCH_SETTINGS,
  offset: HIT_OFFSET,
  dirPath: z.string().optional(),
  collections: z.string().optional(),
  filters: z.record(z.string(), z.unknown()).optional(),
  ranking: RANKING,
});

/** The question of a trace as it was asked; `undefined` where its texts were not kept. */
function requestOf({ kind, texts }: TraceRecord): SearchRequest | undefined {
  if (kind !== "query") return undefined;
  const { success, data } = REQUEST.safeParse(texts?.request);
  if (!success) return undefined;
  const { query, mode, topK, offset, minDegree, dirPath, collections, filters, ranking } = data;
  return present({
    query,
    mode,
    topK,
    offset,
    minDegree,
    dirPath,
    collections,
    filters,
    ranking: ranking && present(ranking),
    marks: true,
  }) as SearchRequest;
}
