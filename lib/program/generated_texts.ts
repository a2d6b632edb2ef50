/**
 * The tasks of language models on an index: made after the index is written, or counted before anything is sent; and what is told of
 * them.
 */
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { textServer } from "#foundation/consent.ts";
import { UserError } from "#foundation/errors.ts";
import { message, type MessageKey } from "#foundation/messages/mod.ts";
import type { Span } from "#foundation/span.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import {
  enrichTask,
  Estimator,
  type Generator,
  Grounding,
  type TaskEstimate,
} from "#library/generate/mod.ts";
import {
  captionShare,
  type EnrichTask,
  generatedShare,
  makeCaptions,
  makeGenerated,
  refinedShare,
  refineFiles,
  type RejectedChunks,
  type RejectedPictures,
} from "#library/ingest/generation/mod.ts";
import { type OpenIndex, openStore } from "#library/store/mod.ts";
import { LazyTable, WordFinder } from "#models/embedding/mod.ts";
import { NO_USAGE, sumOfUsage, type Usage } from "#models/language/mod.ts";
import type { ModelSection } from "./language_models.ts";
import { type Progress, showProgress } from "./progress.ts";
import type { Session } from "./request.ts";
import { errorText, printableErrorText, printableMessage, rejectedText } from "./say.ts";
import { cutToWidth } from "./terminal_text.ts";

/** The tasks that work on an index, in their order, with the section of the model that they ask. */
const INDEX_TASKS = { refine: "llm", enrich: "llm", caption: "vision_llm" } as const satisfies Record<
  string,
  ModelSection
>;

/** A task that works on an index. */
export type IndexTask = keyof typeof INDEX_TASKS;

/** How far a task is. */
interface TaskShare {
  readonly total: number;
  readonly done: number;
  readonly rejected?: RejectedChunks | RejectedPictures;
}

/** The results of a run with language models. */
export interface MadeTexts {
  readonly tasks: Readonly<Partial<Record<IndexTask, TaskShare & { readonly made: number }>>>;
  readonly usage: Usage;
  /** How often each failure came, by the key of its message. */
  readonly failures: Readonly<Record<string, number>>;
  /** The first failure of each kind, and why the run has ended early, in the user's language. */
  readonly problems: readonly string[];
}

/** The tasks of a folder that have a model, in their order. */
function indexTasks({ config }: Pick<Session, "config">, root: string): IndexTask[] {
  const { llm } = folderConfig(config, root);
  return (Object.keys(INDEX_TASKS) as IndexTask[])
    .filter((task) => llm.tasks.includes(task) && textServer(config[INDEX_TASKS[task]]) !== undefined);
}

interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (share: TaskShare) => void;
  /** Awaited between requests. */
  readonly pause?: () => Promise<void>;
  /** The trace that the work belongs to. */
  readonly span?: Span | undefined;
}

/** The task `enrich`, with the built-in table, which is loaded for the first answer. */
function ownEnrichTask(): EnrichTask {
  const table = new LazyTable();
  let grounding: Grounding | undefined;
  return enrichTask(() => grounding ??= new Grounding(table.get(), new WordFinder(table.get())));
}

/**
 * Runs a task on the index of a folder, or counts its requests with an {@linkcode Estimator}. Throws the errors of the store, and the
 * reason of the signal.
 */
async function runTask(
  session: Session,
  root: string,
  task: IndexTask,
  generator: Generator,
  { span, ...options }: TaskOptions,
): Promise<TaskShare & { readonly made: number }> {
  const { provider, model } = session.config[INDEX_TASKS[task]];
  const stage = span?.child("generate", { method: task, provider, model });
  const before = generator.usage;
  const end = (error?: unknown) => {
    const { usage, failures } = generator;
    stage?.add({
      usage: {
        inputTokens: usage.inputTokens - before.inputTokens,
        outputTokens: usage.outputTokens - before.outputTokens,
      },
      ...(failures.size > 0 && { failures: Object.fromEntries(failures) }),
    });
    stage?.end(error);
  };
  try {
    const share = await startTask(session, root, task, generator, options);
    const { made, done, total } = share;
    stage?.add({ counts: { made, done, total } });
    end();
    return share;
  } catch (error) {
    end(error);
    throw error;
  }
}

async function startTask(
  session: Session,
  root: string,
  task: IndexTask,
  generator: Generator,
  given: Omit<TaskOptions, "span">,
): Promise<TaskShare & { readonly made: number }> {
  const { config, extractor, language } = session;
  const store = openStore(config, root, session);
  const options = { ...given, isEstimate: generator instanceof Estimator };
  switch (task) {
    case "refine":
      return await refineFiles(root, config, session, generator, options);
    case "enrich": {
      return await makeGenerated(store, generator, ownEnrichTask(), options);
    }
    case "caption": {
      const { max_file_mb: megabytes, encoding } = folderConfig(config, root).files;
      const files = new FolderFiles(root, { extractor, maxBytes: megabytes * 1024 * 1024 });
      const ofTexts = encoding === "auto" ? undefined : encoding;
      return await makeCaptions({ store, generator, files, extractor, encoding: ofTexts, language }, options);
    }
  }
}

/**
 * Makes what the tasks of a folder lack, and shows the progress. `undefined` where no task has a model that may be used. The failures of
 * a model are told and not thrown, and so is that another process works on the folder. A run that makes everything anew knows which
 * results are used: those that have not been for long are removed.
 */
export async function makeTexts(
  session: Session,
  root: string,
  span?: Span,
): Promise<MadeTexts | undefined> {
  const tasks = indexTasks(session, root);
  const models = tasks.length === 0 ? undefined : await session.languageModels();
  if (models === undefined) return undefined;
  const generators = new Map<ModelSection, Generator>();
  const firstFailures = new Map<string, UserError>();
  const made: Partial<Record<IndexTask, TaskShare & { readonly made: number }>> = {};
  const used = session.flags.full ? new Set<string>() : undefined;
  let busy: UserError | undefined;
  for (const task of tasks) {
    const section = INDEX_TASKS[task];
    const generator = generators.get(section) ?? await models.generator(root, section, (failure) => {
      if (failure instanceof UserError && !firstFailures.has(failure.key)) {
        firstFailures.set(failure.key, failure);
      }
    }, used);
    if (generator === undefined) continue;
    generators.set(section, generator);
    using progress = await taskProgress(session, root, task, generator);
    try {
      made[task] = await runTask(session, root, task, generator, {
        signal: session.signal,
        onProgress: progress.update,
        span,
      });
    } catch (error) {
      // A server does the same. The index is complete without it.
      if (!(error instanceof UserError) || error.key !== "index_busy") throw error;
      busy = error;
      break;
    }
  }
  if (generators.size === 0) return undefined;
  if (used !== undefined && tasks.every((task) => isComplete(made[task]))) {
    await openStore(session.config, root, session).generated.prune(used, new Date());
  }
  const failures: Record<string, number> = {};
  for (const [key, count] of generators.values().flatMap(({ failures }) => failures)) {
    failures[key] = (failures[key] ?? 0) + count;
  }
  const shown = Object.entries(failures).map(([key, count]) => {
    const failure = firstFailures.get(key) ?? new UserError(key as MessageKey);
    return message(session.language, "llm_failures", {
      count,
      text: errorText(failure, session.language, false),
    });
  });
  for (const { ended, model } of generators.values()) {
    // The message of a used-up budget says how to go on.
    if (ended === undefined || ended.key.startsWith("llm_budget_")) continue;
    shown.push(message(session.language, "llm_run_ended", { model: model.id }));
  }
  const usage = generators.values().reduce((sum, { usage }) => sumOfUsage(sum, usage), NO_USAGE);
  if (busy !== undefined) shown.push(printableErrorText(busy, session.language, false));
  return { tasks: made, usage, failures, problems: shown };
}

/** Whether a task has looked at all there is. */
function isComplete(share: TaskShare | undefined): boolean {
  if (share === undefined) return false;
  const { total, done, rejected } = share;
  return done + (rejected !== undefined && "chunks" in rejected ? rejected.count : 0) === total;
}

/**
 * Makes what the tasks of a folder lack, without a word, for a server. Returns whether nothing is left that the model could give. Throws
 * the failure that ended the run, the errors of the store, and the reason of the signal.
 */
export async function runTasks(
  session: Session,
  root: string,
  options: Pick<TaskOptions, "signal" | "pause" | "span">,
): Promise<boolean> {
  const tasks = indexTasks(session, root);
  const models = tasks.length === 0 ? undefined : await session.languageModels();
  let made = 0;
  for (const task of models === undefined ? [] : tasks) {
    const generator = await models!.generator(root, INDEX_TASKS[task]);
    if (generator === undefined) continue;
    made += (await runTask(session, root, task, generator, options)).made;
    if (generator.ended !== undefined) throw generator.ended;
  }
  // The new texts are a new version of the index.
  return made === 0;
}

async function taskProgress(
  session: Session,
  root: string,
  task: IndexTask,
  { model }: Generator,
): Promise<Progress<TaskShare>> {
  const { language } = session;
  let step: string | undefined;
  return await showProgress<TaskShare>(session, {
    line: ({ done, total }, columns) =>
      cutToWidth(message(language, "llm_progress", { task, done, total, model: model.id }), columns),
    step: ({ done, total }) => {
      if (done === total && step === undefined) return undefined;
      return step ??= printableMessage(language, "llm_step", {
        ...{ task, dir: root, count: total - done, model: model.id },
      });
    },
  });
}

/** The lines about what a run has made. */
export function madeTextsLines({ tasks, usage, problems }: MadeTexts, { language, config }: Session): string {
  const lines = Object.entries(tasks).map(([task, { done, total, made, rejected }]) =>
    message(language, "llm_made", { task, done, total, made }) + rejectedText(rejected, language)
  );
  const { inputTokens: input, outputTokens: output, calls, isEstimated } = usage;
  if (calls > 0) {
    const price = priceOf(usage, config.llm.budget);
    lines.push(
      message(language, isEstimated ? "llm_usage_about" : "llm_usage", { calls, input, output }) +
        (price === undefined ? "" : message(language, "llm_price", { price: price.toFixed(4) })),
    );
  }
  return [...lines, ...problems].map((line) => `${line}\n`).join("");
}

/** The results of a run, as a part of the data that `--json` prints. */
export function textsData({ problems: _, ...made }: MadeTexts): object {
  return made;
}

/** The price of tokens; `undefined` where the configuration names none. */
function priceOf(
  { inputTokens, outputTokens }: Pick<Usage, "inputTokens" | "outputTokens">,
  { input_price: input, output_price: output }: Session["config"]["llm"]["budget"],
): number | undefined {
  if (input === null && output === null) return undefined;
  return (inputTokens * (input ?? 0) + outputTokens * (output ?? 0)) / 1e6;
}

/** The model of a task of a folder, and how far the task is, where it works on the index as it is. */
export interface TaskStatus extends Partial<TaskShare> {
  readonly task: Config["llm"]["tasks"][number];
  /** Of a task that is not counted, because it works for a single search, answer or evaluation. */
  readonly works?: "on request";
  readonly host: string;
  readonly model: string;
  /** Whether texts of the folder may be sent there. */
  readonly consent: boolean;
}

/** Counts what the tasks of a folder lack, from its index, and names those that are not counted. Connects to nothing. */
export async function taskStates(session: Session, root: string): Promise<TaskStatus[]> {
  return [...uncountedTasks(session, root), ...await textShares(session, root)];
}

function uncountedTasks({ config, consented }: Session, root: string): TaskStatus[] {
  const server = textServer(config.llm);
  if (server === undefined) return [];
  const { host, origin, isLocal } = server;
  const consent = isLocal || (consented[root] ?? []).includes(origin);
  const model = `${config.llm.provider}/${config.llm.model ?? ""}`;
  return folderConfig(config, root).llm.tasks.filter((task) => !Object.hasOwn(INDEX_TASKS, task))
    .map((task) => ({ task, host, model, consent, works: "on request" }));
}

async function textShares(session: Session, root: string): Promise<TaskStatus[]> {
  const tasks = indexTasks(session, root);
  const models = tasks.length === 0 ? undefined : await session.languageModels();
  if (models === undefined) return [];
  const loaded = await openStore(session.config, root, session).open();
  if (loaded.state !== "ready") return [];
  using index = loaded.index;
  const found: TaskStatus[] = [];
  for (const task of tasks) {
    const section = INDEX_TASKS[task];
    const estimator = await models.estimator(root, section);
    if (estimator === undefined) continue;
    const share = await shareOf(task, index, folderConfig(session.config, root), estimator);
    const { host, origin, isLocal } = textServer(session.config[section])!;
    const consent = isLocal || (session.consented[root] ?? []).includes(origin);
    found.push({ task, host, model: estimator.model.id, consent, ...share });
  }
  return found;
}

async function shareOf(
  task: IndexTask,
  index: OpenIndex,
  config: Pick<Config, "chunking">,
  generator: Generator,
): Promise<TaskShare> {
  switch (task) {
    case "refine":
      return await refinedShare(index, config, generator);
    case "enrich":
      return await generatedShare(index, generator, ownEnrichTask());
    case "caption":
      return await captionShare(index, generator);
  }
}

/** The requests of a folder's tasks to a server, counted and not sent. */
export interface ServerEstimate {
  readonly host: string;
  readonly model: string;
  readonly isLocal: boolean;
  /** Whether texts of the folder may be sent there. */
  readonly consent: boolean;
  readonly tasks: Readonly<Partial<Record<IndexTask, TaskEstimate & { readonly price?: number }>>>;
}

/** Counts what the tasks of a folder would send, server by server. Sends nothing. */
export async function estimateTexts(session: Session, root: string): Promise<ServerEstimate[]> {
  const models = await session.languageModels();
  if (models === undefined) return [];
  const found: ServerEstimate[] = [];
  const tasks = indexTasks(session, root);
  for (const section of new Set(tasks.map((task) => INDEX_TASKS[task]))) {
    const estimator = await models.estimator(root, section);
    if (estimator === undefined) continue;
    const ofServer: Partial<Record<IndexTask, TaskEstimate & { readonly price?: number }>> = {};
    for (const task of tasks.filter((task) => INDEX_TASKS[task] === section)) {
      await runTask(session, root, task, estimator, { signal: session.signal });
      const estimate = estimator.estimates.get(task) ?? NOTHING;
      const price = priceOf(estimate, session.config.llm.budget);
      ofServer[task] = { ...estimate, ...(price !== undefined && { price }) };
    }
    const { origin, host, isLocal } = textServer(session.config[section])!;
    const consent = isLocal || (session.consented[root] ?? []).includes(origin);
    found.push({ host, model: estimator.model.id, isLocal, consent, tasks: ofServer });
  }
  return found;
}

const NOTHING: TaskEstimate = { calls: 0, inputTokens: 0, outputTokens: 0, images: 0, kept: 0 };

/** The lines of an estimate. */
export function estimateLines(
  root: string,
  servers: readonly ServerEstimate[],
  { language }: Session,
): string {
  if (servers.length === 0) return `${printableMessage(language, "llm_estimate_nothing", { dir: root })}\n`;
  const lines = servers.flatMap(({ host, model, consent, tasks }) => [
    printableMessage(language, "llm_estimate_server", { dir: root, host, model }),
    ...Object.entries(tasks).map((
      [task, { calls, inputTokens: input, outputTokens: output, images, kept, price }],
    ) =>
      "  " + message(language, "llm_estimate_task", { task, calls, input, output, kept }) +
      (images > 0 ? message(language, "llm_estimate_images", { images }) : "") +
      (price === undefined ? "" : message(language, "llm_price", { price: price.toFixed(4) }))
    ),
    ...(consent ? [] : [printableMessage(language, "llm_consent_missing", { dir: root, host })]),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}
