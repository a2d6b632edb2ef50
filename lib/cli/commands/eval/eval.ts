import { UsageError } from "../../../errors.ts";
import {
  checkThresholds,
  type Corpus,
  defaultSystems,
  evaluate,
  type EvaluationProgress,
  type EvaluationResult,
  folderCorpus,
  parseThreshold,
  shortfalls,
  type System,
  temporaryCorpus,
  type Threshold,
} from "../../../evaluate/mod.ts";
import type { NeuralProgress } from "../../../ingest/mod.ts";
import type { IngestProgress } from "../../../ingest/types.ts";
import { message, printable } from "../../../messages.ts";
import { warn, warnText } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { makeVectors } from "../../make_vectors.ts";
import type { Session } from "../../session.ts";
import type { Progress } from "../../show_progress.ts";
import { styleFor } from "../../style.ts";
import { updateIndex } from "../../update_index.ts";
import { readTestData, type TestData } from "./data.ts";
import { evaluationText, shortfallText } from "./output.ts";
import { startEvalProgress } from "./progress.ts";
import { checkSameIndex, systemsOf } from "./systems.ts";

/** Number of hits that count, whatever `search.top_k` is: figures are usually compared at 10. */
const DEFAULT_K = 10;
const DEFAULT_WORST = 10;

/** Number of missing documents that a warning names. */
const NAMED = 5;

/** Options for every set of queries. */
interface Wanted {
  readonly k: number;
  /** `undefined`: all systems that the index supports. */
  readonly systems: readonly System[] | undefined;
  readonly thresholds: readonly Threshold[];
}

/** `eval DATA...`: runs judged queries and measures the results. Fails where a `--min` is not reached. */
export async function evaluation(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const k = flags.topK ?? DEFAULT_K;
  const thresholds = (flags.min ?? []).map(parseThreshold);
  const systems = flags.compare === undefined ? undefined : systemsOf(session, flags.compare);
  if (systems !== undefined) checkThresholds(thresholds, systems, k);

  const data = await readTestData(session);
  if (data.some(({ kind }) => kind === "queries")) checkSameIndex(session, systems ?? []);
  const results: EvaluationResult[] = [];
  const style = styleFor(io, "stdout");
  for (const each of data) {
    const result = await evaluateData(session, each, { k, systems, thresholds });
    if (!flags.json) {
      await io.out((results.length > 0 ? "\n" : "") + evaluationText(result, language, style));
    }
    results.push(result);
  }

  const failures = results.flatMap((result) => shortfalls(thresholds, result))
    .map((shortfall) => shortfallText(shortfall, language));
  const failed = failures.length > 0;
  if (flags.json) {
    const text = failed ? failures.join("\n") : message(language, "cli_done");
    await printJson(session, { collections: results }, text, failed ? 500 : 200);
  }
  const { red } = styleFor(io, "stderr");
  for (const text of failures) io.err(`${red(text)}\n`);
  return failed ? EXIT.failed : EXIT.done;
}

/** Evaluates one set of queries, then prints warnings that concern the figures. */
async function evaluateData(session: Session, data: TestData, wanted: Wanted): Promise<EvaluationResult> {
  if (data.kind === "queries") {
    await updateIndex(session, data.root, { before: "search" });
    await makeVectors(session, data.root, { beforeAnswer: true });
  }
  const { result, missing } = await measure(session, data, wanted);
  if (missing.length > 0) {
    const { name } = result;
    warn(session, "cli_eval_missing", { name, count: missing.length, documents: named(missing) });
  }
  for (const text of new Set(result.systems.flatMap(({ notices }) => notices))) {
    warnText(session, printable(text));
  }
  return result;
}

async function measure(
  session: Session,
  data: TestData,
  { k, systems, thresholds }: Wanted,
): Promise<{ result: EvaluationResult; missing: readonly string[] }> {
  const { config, flags, signal } = session;
  using progress = await startEvalProgress(session, data.set.name);
  await using corpus = await corpusOf(session, data, progress);
  const missing = corpus.missing(data.set);
  if (data.kind === "queries") checkSomeKnown(data, missing);

  let compared = systems;
  if (compared === undefined) {
    const onProgress = (ingest: IngestProgress) => progress.update({ step: "index", ingest });
    const onVectors = (vectors: NeuralProgress) => progress.update({ step: "vectors", ...vectors });
    await corpus.index(config, { signal, onProgress, onVectors });
    compared = await defaultSystems(corpus, config);
    checkThresholds(thresholds, compared, k);
  }
  const worst = flags.worst ?? DEFAULT_WORST;
  const options = { k, worst, signal, onProgress: progress.update };
  return { result: await evaluate(data.set, corpus, compared, options), missing };
}

async function corpusOf(
  session: Session,
  data: TestData,
  progress: Progress<EvaluationProgress>,
): Promise<Corpus> {
  const { indexDirs, models } = session;
  if (data.kind === "queries") return await folderCorpus(data.root, session.indexKey, { indexDirs, models });
  const { documents } = data.set;
  const total = documents.length;
  const onWritten = (done: number) => progress.update({ step: "write", done, total });
  return await temporaryCorpus(documents, session, {
    signal: session.signal,
    tempDir: session.io.tempDir,
    onWritten,
    models,
  });
}

/** Throws `UsageError` where all relevant documents are missing: the folder must be the wrong one. */
function checkSomeKnown(
  { path, root, set }: TestData & { kind: "queries" },
  missing: readonly string[],
): void {
  const gone = new Set(missing);
  const relevant = set.queries.flatMap(({ targets }) => targets.filter(({ gain }) => gain > 0));
  if (gone.size > 0 && relevant.every(({ document }) => gone.has(document))) {
    throw new UsageError("cli_eval_all_missing", { path, dir: root, documents: named(missing) });
  }
}

function named(documents: readonly string[]): string {
  return documents.slice(0, NAMED).join(", ") + (documents.length > NAMED ? " …" : "");
}
