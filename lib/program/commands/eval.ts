/**
 * The command `eval`: reads judged queries, runs them with each system,
 * and shows the progress.
 */
import { UsageError } from "#foundation/errors.ts";
import {
  checkThresholds,
  type Corpus,
  defaultSystems,
  evaluate,
  type EvaluationProgress,
  type EvaluationResult,
  folderCorpus,
  parseThreshold,
  type QuerySet,
  readBeir,
  readQueryFile,
  shortfalls,
  type System,
  SYSTEM_NAMES,
  systemsNamed,
  temporaryCorpus,
  type TestCollection,
  type Threshold,
} from "#library/evaluate/mod.ts";
import type { NeuralProgress } from "#library/ingest/mod.ts";
import type { IngestProgress } from "#library/ingest/types.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { abortable, type Context, EXIT, warnText } from "../context.ts";
import { printableMessage, printJson, warn } from "../say.ts";
import { makeVectors } from "../make_vectors.ts";
import type { Session } from "../request.ts";
import { barText, type Progress, showProgress } from "../progress.ts";
import { cutToWidth, styleFor } from "../terminal_text.ts";
import { updateIndex } from "../update_index.ts";
import { evaluationText, shortfallText } from "./eval_text.ts";
import { statNamed } from "#foundation/boundary/mod.ts";
import { oneRoot } from "../targets.ts";
import { comparedNames } from "../options.ts";

/** Number of hits that count, whatever `search.top_k` is: figures are usually compared at 10. */
const DEFAULT_K = 10;
const DEFAULT_WORST = 10;

/** Number of missing documents that a warning names. */
const NAMED = 5;

/** Options for every set of queries. */
interface EvalOptions {
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
async function evaluateData(
  session: Session,
  data: TestData,
  wanted: EvalOptions,
): Promise<EvaluationResult> {
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
  { k, systems, thresholds }: EvalOptions,
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
  if (data.kind === "queries") return await folderCorpus(data.root, session.config, session);
  const { documents } = data.set;
  const total = documents.length;
  const onWritten = (done: number) => progress.update({ step: "write", done, total });
  return await temporaryCorpus(documents, session, {
    signal: session.signal,
    tempDir: session.io.tempDir,
    onWritten,
    models: session.models,
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

/** Test data. */
type TestData =
  | { readonly kind: "collection"; readonly set: TestCollection }
  /** Queries about the user's folder `root`, a real path. */
  | { readonly kind: "queries"; readonly path: string; readonly set: QuerySet; readonly root: string };

/**
 * Reads all test data before anything is indexed, so that mistakes are found at once. Throws `UsageError`
 * `cli_eval_data_missing`, `cli_eval_needs_dir`, `cli_eval_dir_unused`, and the errors of the readers.
 */
async function readTestData(session: Session): Promise<TestData[]> {
  const { operands, named, flags, signal } = session;
  const data: TestData[] = [];
  for (const [at, path] of named.entries()) {
    const operand = operands[at]!;
    const info = await abortable(statNamed(path).catch(() => undefined), signal);
    if (info === undefined) throw new UsageError("cli_eval_data_missing", { path: operand });
    if (info.isDirectory) {
      data.push({ kind: "collection", set: await abortable(readBeir(path), signal) });
      continue;
    }
    if (flags.dir.length === 0) throw new UsageError("cli_eval_needs_dir", { path: operand });
    const root = oneRoot(session);
    data.push({ kind: "queries", path, root, set: await abortable(readQueryFile(path, root), signal) });
  }
  if (flags.dir.length > 0 && data.every(({ kind }) => kind === "collection")) {
    throw new UsageError("cli_eval_dir_unused");
  }
  return data;
}

/**
 * The systems that `--compare` names, each once, in its order. A name is that of a system or of a configuration file. Throws
 * `UsageError` `cli_eval_unknown_system`.
 */
function systemsOf(session: Session, list: string): System[] {
  const systems = new Map<string, System>();
  const names = comparedNames(list);
  if (names.length === 0) throw new UsageError("cli_option_value_missing", { flag: "--compare" });
  for (const name of names) {
    for (const system of systemsNamed(name, session.config) ?? [configured(session, name)]) {
      if (!systems.has(system.name)) systems.set(system.name, system);
    }
  }
  return [...systems.values()];
}

/** The system of a configuration file of `--compare`. */
function configured({ compared }: Session, name: string): System {
  const config = compared[name];
  if (config === undefined) {
    throw new UsageError("cli_eval_unknown_system", { name, systems: SYSTEM_NAMES.join(", ") });
  }
  return { name, config };
}

/**
 * Throws `UsageError` `cli_eval_other_index` for a system that needs another index of the user's folder. The index is in
 * use, so it is not rebuilt for a comparison.
 */
function checkSameIndex({ config }: Session, systems: readonly System[]): void {
  for (const { name, config: other } of systems) {
    for (const section of ["embedding", "chunking", "files"] as const) {
      if (JSON.stringify(config[section]) !== JSON.stringify(other[section])) {
        throw new UsageError("cli_eval_other_index", { name, section });
      }
    }
  }
}

/** Starts to show the progress of an evaluation. */
function startEvalProgress(context: Context, name: string): Promise<Progress<EvaluationProgress>> {
  const { language } = context;
  return showProgress(context, {
    line: (progress, columns) => lineText(progress, name, columns, language),
    step: (progress) => stepText(progress, name, language),
  });
}

function stepText(progress: EvaluationProgress, name: string, language: Language): string {
  switch (progress.step) {
    case "write":
      return printableMessage(language, "cli_eval_step_write", { name, total: progress.total });
    case "index":
      return printableMessage(language, "cli_eval_step_index", { name });
    case "vectors":
      return printableMessage(language, "cli_eval_step_vectors", { name, total: progress.total });
    case "query":
      return printableMessage(language, "cli_eval_step_query", {
        name,
        system: progress.system,
        total: progress.total,
      });
  }
}

function lineText(
  progress: EvaluationProgress,
  name: string,
  columns: number,
  language: Language,
): string {
  if (progress.step === "index") return barText(progress.ingest, 0, columns, language);
  const step = progress.step === "query"
    ? progress.system
    : message(language, `cli_eval_bar_${progress.step}`);
  const { done, total } = progress;
  return cutToWidth(printableMessage(language, "cli_eval_bar", { name, step, done, total }), columns);
}
