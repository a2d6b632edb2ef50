/**
 * The command `eval`: reads questions, runs them with each system, shows the progress, and prints the figures. `eval_answers.ts` measures
 * answers, `eval_support.ts` claims.
 */
import { UsageError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import {
  type AnswerResult,
  answerShortfalls,
  type AnswerThreshold,
  checkThresholds,
  type ClaimSet,
  type Corpus,
  defaultSystems,
  evaluate,
  type EvaluationProgress,
  type EvaluationResult,
  folderCorpus,
  parseAnswerThreshold,
  parseThreshold,
  type QuerySet,
  type QuestionFile,
  readBeir,
  readClaims,
  readQuestions,
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
import { makeVectors, updateIndex } from "../update_index.ts";
import type { Session } from "../request.ts";
import { barText, type Progress, showProgress } from "../progress.ts";
import { cutToWidth, styleFor } from "../terminal_text.ts";
import { statNamed } from "#foundation/boundary/mod.ts";
import { hasFilesHere, openStore } from "#library/store/mod.ts";
import { oneRoot } from "../targets.ts";
import { comparedNames } from "../options.ts";
import { answerEvaluation, answerShortfallText } from "./eval_answers.ts";
import { baselineOf, comparisonText, endRun, worseText } from "./eval_runs.ts";
import { evaluationText, shortfallText } from "./eval_text.ts";

/** Number of hits that count, whatever `search.top_k` is: figures are usually compared at 10. */
const DEFAULT_K = 10;
const DEFAULT_WORST = 10;

/** Number of missing documents that a warning names. */
const NAMED = 5;

/** Options for every set of queries. `systems`: `undefined` for all that the index supports. */
interface EvalOptions {
  readonly k: number;
  readonly systems: readonly System[] | undefined;
  readonly thresholds: readonly Threshold[];
}

/**
 * `eval DATA...`: runs judged queries and measures the results, and the answers that the data has. Fails where a `--min` is not reached,
 * or a figure is worse than in the run of `--baseline`.
 */
export async function evaluation(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const claims = await readClaimSets(session);
  if (claims !== undefined) {
    return await (await import("./eval_support.ts")).supportEvaluation(session, claims);
  }
  const k = flags.topK ?? DEFAULT_K;
  const isAny = flags.evaluator !== undefined;
  const minima = Map.groupBy(flags.min ?? [], (text) => parseAnswerThreshold(text, isAny) === undefined);
  const thresholds = (minima.get(true) ?? []).map(parseThreshold);
  const answerThresholds = (minima.get(false) ?? []).flatMap((text) =>
    parseAnswerThreshold(text, isAny) ?? []
  );
  const systems = flags.compare === undefined ? undefined : systemsOf(session, flags.compare);
  if (systems !== undefined) checkThresholds(thresholds, systems, k);

  const data = await readTestData(session);
  checkMeasured(data, thresholds, answerThresholds);
  if (flags.evaluator !== undefined && data.every(({ answers }) => answers === undefined)) {
    throw new UsageError("cli_eval_evaluator_unused");
  }
  const sets = data.flatMap(({ search, answers }) => [search?.name, answers?.name]).filter((name) =>
    name !== undefined
  );
  const baseline = await baselineOf(session, sets);
  if (data.some(({ root }) => root !== undefined)) checkSameIndex(session, systems ?? []);
  if (data.some(({ search, root }) => search !== undefined || root !== undefined)) {
    await checkConsent(session);
  }
  const results: EvaluationResult[] = [];
  const answers: AnswerResult[] = [];
  const style = styleFor(io, "stdout");
  let isFirst = true;
  const show = async (text: string) => {
    if (!flags.json) await io.out((isFirst ? "" : "\n") + text);
    isFirst = false;
  };
  for (const each of data) {
    if (each.root !== undefined) {
      if (hasFilesHere(openStore(session.config, each.root, session))) {
        await updateIndex(session, each.root, { before: "search" });
      }
      await makeVectors(session, each.root, { beforeAnswer: true });
    }
    if (each.search !== undefined) {
      const result = await evaluateData(session, each, { k, systems, thresholds });
      await show(evaluationText(result, language, style));
      results.push(result);
    }
    if (each.answers !== undefined) {
      const { result, text } = await answerEvaluation(session, each.answers, { root: each.root, k });
      await show(text);
      answers.push(result);
    }
  }

  const { id, comparison } = await endRun(session, { search: results, answers }, baseline);
  if (comparison !== undefined) await show(comparisonText(comparison, language, style));

  const failures = [
    ...results.flatMap((result) => shortfalls(thresholds, result)).map((shortfall) =>
      shortfallText(shortfall, language)
    ),
    ...answers.flatMap((result) => answerShortfalls(answerThresholds, result)).map((shortfall) =>
      answerShortfallText(shortfall, language)
    ),
    ...(comparison?.differences ?? []).filter(({ isWorse }) => isWorse).map((difference) =>
      worseText(difference, comparison!.run, language)
    ),
  ];
  const failed = failures.length > 0;
  if (flags.json) {
    const text = failed ? failures.join("\n") : message(language, "cli_done");
    const measured = {
      collections: results,
      ...(answers.length === 0 ? {} : { answers }),
      ...present({ run: id, comparison }),
    };
    await printJson(session, measured, text, failed ? 500 : 200);
  }
  const { red } = styleFor(io, "stderr");
  for (const text of failures) io.err(`${red(text)}\n`);
  return failed ? EXIT.failed : EXIT.done;
}

/** Throws if texts of the data would be sent to a language model that reranks, and the user has not agreed: its measures would be others. */
async function checkConsent(session: Session): Promise<void> {
  const { config, compared, consented } = session;
  const configurations = [config, ...Object.values(compared)].filter(({ rerank }) =>
    rerank.provider === "llm"
  );
  if (configurations.length === 0) return;
  const { rerankRefusal } = await import("../consent.ts");
  for (const one of configurations) {
    const refusal = rerankRefusal(one, session, Object.keys(consented));
    if (refusal !== undefined) throw new UsageError("llm_consent_eval", refusal.params);
  }
}

/** Throws `UsageError` for a minimum of what the data does not measure. */
function checkMeasured(
  data: readonly TestData[],
  thresholds: readonly Threshold[],
  answerThresholds: readonly AnswerThreshold[],
): void {
  const isMissing = (kind: "search" | "answers") => data.every((each) => each[kind] === undefined);
  const [minimum] = [
    ...(isMissing("search") ? thresholds : []),
    ...(isMissing("answers") ? answerThresholds : []),
  ];
  if (minimum !== undefined) throw new UsageError("cli_eval_min_unmeasured", { metric: minimum.metric });
}

/** The sets of claims that the command line names; `undefined` if it names other data. Throws `UsageError` for a mixture. */
async function readClaimSets(session: Session): Promise<ClaimSet[] | undefined> {
  const { named, operands, flags, signal } = session;
  const sets: ClaimSet[] = [];
  let others = 0;
  for (const path of named.slice(0, operands.length)) {
    const isFile = await abortable(statNamed(path).then(({ isFile }) => isFile, () => false), signal);
    const set = isFile ? await abortable(readClaims(path), signal) : undefined;
    if (set === undefined) others++;
    else sets.push(set);
  }
  if (sets.length === 0) return undefined;
  if (others > 0) throw new UsageError("cli_eval_claims_mixed", { path: operands.join(" ") });
  if (flags.dir.length > 0) throw new UsageError("cli_eval_dir_unused");
  if (flags.baseline !== undefined) throw new UsageError("cli_eval_claims_without_baseline");
  if (flags.evaluator !== undefined) throw new UsageError("cli_eval_evaluator_unused");
  return sets;
}

/** Evaluates one set of queries, then prints warnings that concern the figures. */
async function evaluateData(
  session: Session,
  data: TestData,
  wanted: EvalOptions,
): Promise<EvaluationResult> {
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
  const set = data.search!;
  using progress = await startEvalProgress(session, set.name);
  await using corpus = await corpusOf(session, data, progress);
  const missing = corpus.missing(set);
  if (data.root !== undefined) checkSomeKnown(data, set, missing);

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
  return { result: await evaluate(set, corpus, compared, options), missing };
}

async function corpusOf(
  session: Session,
  data: TestData,
  progress: Progress<EvaluationProgress>,
): Promise<Corpus> {
  if (data.root !== undefined) return await folderCorpus(data.root, session.config, session);
  const { documents } = data.search as TestCollection;
  const total = documents.length;
  const onWritten = (done: number) => progress.update({ step: "write", done, total });
  const { signal, io: { tempDir }, models } = session;
  return await temporaryCorpus(documents, session, { signal, tempDir, onWritten, models });
}

/** Throws `UsageError` where all relevant documents are missing: the folder must be the wrong one. */
function checkSomeKnown(
  { path, root = "" }: TestData,
  { queries }: QuerySet,
  missing: readonly string[],
): void {
  const gone = new Set(missing);
  const relevant = queries.flatMap(({ targets }) => targets.filter(({ gain }) => gain > 0));
  if (gone.size > 0 && relevant.every(({ document }) => gone.has(document))) {
    throw new UsageError("cli_eval_all_missing", { path, dir: root, documents: named(missing) });
  }
}

function named(documents: readonly string[]): string {
  return documents.slice(0, NAMED).join(", ") + (documents.length > NAMED ? " …" : "");
}

/** A test collection, or a file of questions. */
interface TestData extends Pick<QuestionFile, "search" | "answers"> {
  readonly path: string;
  /** Real path of the folder that the questions are about; absent for a test collection, and for answers with their passages. */
  readonly root?: string;
}

/** Reads all test data before anything is indexed, so that mistakes are found at once. Throws `UsageError`. */
async function readTestData(session: Session): Promise<TestData[]> {
  const { operands, flags, signal } = session;
  // The run of --baseline may be named behind them.
  const named = session.named.slice(0, operands.length);
  const root = flags.dir.length === 0 ? undefined : oneRoot(session);
  const data: TestData[] = [];
  for (const [at, path] of named.entries()) {
    const operand = operands[at]!;
    const info = await abortable(statNamed(path).catch(() => undefined), signal);
    if (info === undefined) throw new UsageError("cli_eval_data_missing", { path: operand });
    if (info.isDirectory) {
      data.push({ path, search: await abortable(readBeir(path), signal) });
      continue;
    }
    const { name, unaccepted, search, answers } = await abortable(readQuestions(path, root), signal);
    const hasChunks = answers?.questions.some(({ chunkIds }) => chunkIds !== undefined);
    if (root === undefined && (search !== undefined || hasChunks)) {
      throw new UsageError("cli_eval_needs_dir", { path: operand });
    }
    if (unaccepted > 0) warn(session, "cli_eval_unaccepted", { name, count: unaccepted });
    data.push(present({ path, root, search, answers }));
  }
  if (root !== undefined && data.every((each) => each.root === undefined)) {
    throw new UsageError("cli_eval_dir_unused");
  }
  return data;
}

/** The systems and configuration files that `--compare` names, each once, in its order. Throws `UsageError`. */
function systemsOf({ config: own, compared }: Session, list: string): System[] {
  const systems = new Map<string, System>();
  const names = comparedNames(list);
  if (names.length === 0) throw new UsageError("cli_option_value_missing", { flag: "--compare" });
  for (const name of names) {
    const config = compared[name];
    const found = systemsNamed(name, own) ?? (config === undefined ? undefined : [{ name, config }]);
    if (found === undefined) {
      throw new UsageError("cli_eval_unknown_system", { name, systems: SYSTEM_NAMES.join(", ") });
    }
    for (const system of found) if (!systems.has(system.name)) systems.set(system.name, system);
  }
  return [...systems.values()];
}

/** Throws for a system that needs another index of the user's folder: the one in use is not rebuilt for a comparison. */
function checkSameIndex({ config }: Session, systems: readonly System[]): void {
  for (const { name, config: other } of systems) {
    for (const section of ["embedding", "chunking", "files"] as const) {
      if (JSON.stringify(config[section]) !== JSON.stringify(other[section])) {
        throw new UsageError("cli_eval_other_index", { name, section });
      }
    }
  }
}

function startEvalProgress(context: Context, name: string): Promise<Progress<EvaluationProgress>> {
  const { language } = context;
  return showProgress(context, {
    line: (progress, columns) => lineText(progress, name, columns, language),
    step: (progress) => {
      const total = "total" in progress ? progress.total : 0;
      const system = "system" in progress ? progress.system : "";
      return printableMessage(language, `cli_eval_step_${progress.step}`, { name, total, system });
    },
  });
}

function lineText(progress: EvaluationProgress, name: string, columns: number, language: Language): string {
  if (progress.step === "index") return barText(progress.ingest, 0, columns, language);
  const step = progress.step === "query"
    ? progress.system
    : message(language, `cli_eval_bar_${progress.step}`);
  const { done, total } = progress;
  return cutToWidth(printableMessage(language, "cli_eval_bar", { name, step, done, total }), columns);
}
