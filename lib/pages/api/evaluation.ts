/** The calls of the page Evaluation: questions are asked and measured, runs are compared, questions are proposed. */
import { join } from "node:path";
import { Hono } from "hono/tiny";
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import {
  compareRuns,
  defaultSystems,
  draftQuestions,
  evaluate,
  type EvaluationProgress,
  type EvaluationResult,
  folderCorpus,
  keepRun,
  keptRuns,
  namedRun,
  parseQuestions,
  type QuerySet,
  type RankChange,
  rankChanges,
  type Run,
  runOf,
  SYSTEM_NAMES,
  systemsNamed,
} from "#library/evaluate/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { openReady, openStore } from "#library/store/mod.ts";
import { keptTraces } from "#traces/mod.ts";
import { bodyOf, linesOf } from "../answers.ts";
import { collectionNamed, FOLDER, HITS, TEXT } from "../forms.ts";
import type { PagesParts, PagesWork } from "../parts.ts";
import {
  type CompareAnswer,
  type DraftLine,
  type EvaluateLine,
  type HistoryAnswer,
  MOST_CHANGES,
  MOST_QUESTIONS_TEXT,
  type WireEvalRun,
  type WireEvaluation,
  type WireRankChange,
} from "../wire/evaluation.ts";

const RUN = FOLDER.extend({
  name: z.string().min(1).max(255),
  questions: z.string().max(MOST_QUESTIONS_TEXT),
  system: z.string().max(255).optional(),
  k: HITS,
});
const COMPARE = FOLDER.extend({ before: TEXT, now: TEXT });

/** Number of hits that count, whatever `search.top_k` is: figures are usually compared at 10. */
const DEFAULT_K = 10;
/** Questions and missing documents that are named. */
const WORST = 20;
const NAMED = 5;
/** Milliseconds between two reports of progress. */
const REPORT_MS = 150;

/** Evaluations ask about all documents, so clients with limits have none. */
export function evaluationRoutes(parts: PagesParts): Hono {
  const { log, version } = parts;
  return new Hono()
    .post("/run", async (c) => {
      const { folder, name, questions, system, k = DEFAULT_K } = await bodyOf(c, RUN);
      const { root, work } = placeOf(folder, parts);
      const { config } = work;
      const { search, unaccepted } = await parseQuestions(questions, name, root);
      if (search === undefined) throw new UserError("pages_eval_no_places", { name });
      const named = system === undefined ? undefined : systemsNamed(system, config);
      if (system !== undefined && named === undefined) {
        throw new UserError("cli_eval_unknown_system", { name: system, systems: SYSTEM_NAMES.join(", ") });
      }
      const refusal = await work.rerankRefusal(root);
      if (refusal !== undefined) throw new UserError("llm_consent_eval", refusal.params);
      return linesOf<EvaluateLine>(c, log, async (send, signal) => {
        await using corpus = await folderCorpus(root, config, work);
        const systems = named ?? await defaultSystems(corpus, config);
        const onProgress = seldom((progress: EvaluationProgress) => {
          if (progress.step !== "query") return;
          const { system, done, total } = progress;
          return send({ progress: { system, done, total } });
        });
        const result = await evaluate(search, corpus, systems, {
          ...{ k, worst: WORST, signal, onProgress },
          traces: work.traces,
        });
        const run = runOf({ search: [result], answers: [] }, { version, config, time: new Date() });
        // Without updates, the program may not write into the data folder.
        const id = parts.upkeep === undefined ? undefined : await keepRun(openStore(config, root, work), run);
        const missing = corpus.missing(search);
        await send({
          result: { ...wireResult(result, search, root, id), ...missingOf(missing), unaccepted },
        });
      });
    })
    .post("/history", async (c) => {
      const { root, work } = placeOf((await bodyOf(c, FOLDER)).folder, parts);
      const runs = await keptRuns(openStore(work.config, root, work));
      return c.json({ runs: runs.map(wireRun) } satisfies HistoryAnswer);
    })
    .post("/compare", async (c) => {
      const { folder, ...names } = await bodyOf(c, COMPARE);
      const { root, work } = placeOf(folder, parts);
      const store = openStore(work.config, root, work);
      const [before, now] = [await namedRun(store, names.before, []), await namedRun(store, names.now, [])];
      const { differences, settings } = compareRuns(now, before);
      const changes = rankChanges(now, before);
      const answer: CompareAnswer = {
        differences,
        settings,
        changes: await withKeptTraces(changes.slice(0, MOST_CHANGES), work),
        total: changes.length,
      };
      return c.json(answer);
    })
    .post("/draft", async (c) => {
      const { root, work } = placeOf((await bodyOf(c, FOLDER)).folder, parts);
      const { config, indexKey: key, indexDirs } = work;
      return linesOf<DraftLine>(c, log, async (send, signal) => {
        using index = await openReady(openStore(config, root, work));
        const library = openLibrary([root], config, { key, indexDirs });
        try {
          const onFile = seldom((done: number, total: number) => send({ progress: { done, total } }));
          const drafts = await draftQuestions(index, await library.catalog(), { signal, onFile });
          if (drafts.length === 0) throw new UserError("eval_draft_none", { dir: root });
          await send({
            drafts: drafts.map(({ question, spans, reference, passage }) => {
              return { question, spans, reference, passage };
            }),
          });
        } finally {
          library.close();
        }
      });
    });
}

/** The folder of a collection. Throws `UserError` `evaluation_not_shown` for a client with limits, and for an unknown name. */
function placeOf(
  name: string,
  { library: { collections }, work }: PagesParts,
): { readonly root: string; readonly work: PagesWork } {
  if (work === undefined) throw new UserError("evaluation_not_shown");
  return { root: collectionNamed(name, collections).root, work };
}

/** Changes without the traces that are gone. */
async function withKeptTraces(
  changes: readonly RankChange[],
  { traces, config: { log: { dir } } }: PagesWork,
): Promise<readonly WireRankChange[]> {
  const recorder = await traces();
  await recorder?.flush();
  const inMemory = (id: string) => recorder?.find(id) !== undefined;
  const wanted = changes.flatMap(({ traceBefore, traceNow }) => [traceBefore, traceNow])
    .filter((id) => id !== undefined && !inMemory(id));
  const onDisk = dir === null ? new Set() : await keptTraces(dir, new Set(wanted as string[]));
  const kept = (id: string | undefined) =>
    id !== undefined && (inMemory(id) || onDisk.has(id)) ? id : undefined;
  return changes.map(({ traceBefore, traceNow, ...change }) =>
    present({ ...change, traceBefore: kept(traceBefore), traceNow: kept(traceNow) })
  );
}

/** Calls a function at most every {@linkcode REPORT_MS}. What it sends to a client that has gone is lost. */
function seldom<Args extends unknown[]>(
  report: (...args: Args) => Promise<void> | undefined,
): (...args: Args) => void {
  let last = 0;
  return (...args) => {
    const now = performance.now();
    if (now - last < REPORT_MS) return;
    last = now;
    report(...args)?.catch(() => {});
  };
}

function missingOf(missing: readonly string[]): Pick<WireEvaluation, "missing" | "missingNames"> {
  return { missing: missing.length, missingNames: missing.slice(0, NAMED) };
}

function wireResult(
  { name, documents, queries, k, systems, worst }: EvaluationResult,
  set: QuerySet,
  root: string,
  run: string | undefined,
): Omit<WireEvaluation, "missing" | "missingNames" | "unaccepted"> {
  const questions = new Map(set.queries.map((query) => [query.id, query]));
  return present({
    run,
    name,
    documents,
    queries,
    k,
    systems: systems.map(({ name, scores, difference, milliseconds: { p50, p95 } }) =>
      present({ name, scores, difference, milliseconds: { p50, p95 } })
    ),
    worst: worst.map(({ id, query, scores: { ndcg }, expected, found }) => {
      const targets = questions.get(id)?.targets ?? [];
      const best = targets.toSorted((a, b) => b.gain - a.gain)[0];
      const { first, last } = best?.lines ?? {};
      const path = best === undefined ? undefined : join(root, best.document);
      const file = path === undefined || first === undefined ? path : `${path}:${first}-${last}`;
      return present({ question: query, ndcg, expected, found, file });
    }),
    notices: [...new Set(systems.flatMap(({ notices }) => notices))],
  });
}

function wireRun({ id, version, results }: Run): WireEvalRun {
  return {
    id,
    time: id.replace(/T(\d\d)-(\d\d)-(\d\d)Z.*$/, "T$1:$2:$3Z"),
    version,
    results: results.map(({ set, system, means, questions }) => {
      return { set, system, questions: questions.length, means };
    }),
  };
}
