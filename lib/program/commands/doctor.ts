/**
 * The command `doctor`: tries the embedding provider, the reranker and the language models, checks every index,
 * and reports them with the permissions of the process.
 */
import { collectionOf, maskSecrets } from "#foundation/configuration/mod.ts";
import { BUILTIN_ID, createProvider, LazyTable, type NeuralModels } from "#models/embedding/mod.ts";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { message, phraseText } from "#foundation/messages/mod.ts";
import { checkIndex, compareWithFolder, neuralShare } from "#library/ingest/mod.ts";
import { HIDES_NAMES, WRITTEN_FOR } from "#foundation/runtime.ts";
import { openStore } from "#library/store/mod.ts";
import { abortable, EXIT } from "../context.ts";
import { configurationData, configurationText, errorText, printJson } from "../say.ts";
import { present } from "#foundation/present.ts";
import type { Session } from "../request.ts";
import { styleFor } from "../terminal_text.ts";
import { attempt, type ModelReport } from "./doctor_findings.ts";
import { collectorReport } from "./doctor_collector.ts";
import { createReranker, RerankFailure } from "#models/rerank/mod.ts";
import {
  type BoundaryReport,
  type DoctorReport,
  doctorRows,
  doctorText,
  type IndexReport,
  problemsIn,
  type ProviderReport,
  type RerankReport,
  verdict,
} from "./doctor_report.ts";

/** A short text in both languages of the program. */
const PROBE = "检查 check";

/**
 * `doctor`: reports the runtime, the configuration, whether the embedding provider, the reranker and each task of the language
 * models work (one request each), the indexes, whose every byte is checked, and the permissions of the process. Exit code 1 if
 * one of these does not work, or if an index is missing, cannot be searched, or is out of date.
 */
export async function doctor(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const report = await doctorReport(session);
  const { embedding, rerank } = report;
  const problems = problemsIn(report, language);
  const isWell = problems.length === 0;
  const text = verdict(report, problems, language);
  if (flags.json) {
    await printJson(session, report, embedding.problem ?? rerank?.problem ?? text, isWell ? 200 : 500);
  } else {
    const style = styleFor(io, "stdout");
    const last = isWell ? style.bold(text) : style.bold(style.red(text));
    await io.out(`${doctorText(report, configurationText(session, language), language, style)}${last}\n`);
  }
  return isWell ? EXIT.done : EXIT.failed;
}

/** The findings of `doctor` in words. */
export interface DoctorWords {
  readonly isWell: boolean;
  readonly verdict: string;
  readonly rows: readonly { readonly label: string; readonly text: string }[];
}

/** Does what {@linkcode doctor} does, and returns it in words of the session's language. */
export async function doctorWords(session: Session): Promise<DoctorWords> {
  const { language, io } = session;
  const report = await doctorReport(session);
  const problems = problemsIn(report, language);
  const plain = styleFor({ ...io, terminal: { ...io.terminal, stdout: false } }, "stdout");
  const rows = doctorRows(report, configurationText(session, language), language, plain);
  return {
    isWell: problems.length === 0,
    verdict: verdict(report, problems, language),
    rows: rows.map(([label, text]) => ({ label: message(language, label), text })),
  };
}

/** Tries out the components of a session, and checks its indexes. */
async function doctorReport(session: Session): Promise<DoctorReport> {
  const { config, permissions, source, log, signal } = session;
  const embedding = await abortable(providerReport(session), signal);
  const rerank = await abortable(rerankReport(session), signal);
  const isModelUsed = [config.llm, config.vision_llm].some(({ provider }) => provider !== "none");
  const languageModels = isModelUsed
    ? await abortable((await import("./doctor_models.ts")).languageReports(session), signal)
    : [];
  const collector = await abortable(collectorReport(session), signal);
  const folders: IndexReport[] = [];
  for (const root of session.roots) {
    const { name: collection } = collectionOf(config, root) ?? {};
    folders.push({ ...present({ collection }), ...await indexReport(session, root) });
  }
  const boundary = permissions === undefined ? null : boundaryReport(permissions);
  const report: DoctorReport = {
    runtime: { deno: Deno.version.deno, writtenFor: WRITTEN_FOR, hidesNames: HIDES_NAMES },
    source,
    ...configurationData(session),
    embedding,
    ...present({ rerank }),
    ...(languageModels.length > 0 && { languageModels }),
    ...present({ collector }),
    folders,
    ...present({ traces: await tracesProblem(session) }),
    boundary,
  };
  log.info("doctor", { ...report, provider: config.embedding.provider });
  return report;
}

/** Why traces cannot be written; `undefined` if they can, or if there should be none. */
async function tracesProblem({ traces, language }: Session): Promise<string | undefined> {
  const recorder = await traces();
  recorder?.try();
  return recorder?.problem && errorText(recorder.problem, language, true);
}

/** Has a provider embed a short text. */
async function probe(provider: NonNullable<ReturnType<typeof createProvider>>, signal: AbortSignal) {
  const began = performance.now();
  const [vector] = await provider.embed([PROBE], "query", signal);
  return { dimensions: vector!.length, milliseconds: Math.round(performance.now() - began) };
}

async function providerReport(session: Session): Promise<ProviderReport> {
  const { config, proxy, signal } = session;
  const { provider: name, base_url: address, model, api_key: key } = maskSecrets(config).embedding;
  const isServer = name !== "builtin" && name !== "local" && name !== "none";
  const by = proxy === undefined ? {} : { proxy };
  const server = { address: address ?? "", ...by, model: model ?? "", keySet: key !== null };
  const known = { provider: name, ...(isServer && { server }) };
  const report = await attempt(session, name === "local" ? "doctor.models" : "doctor.provider", async () => {
    if (name === "local") return await localModels(await session.models(), session);
    const provider = createProvider({ ...config.embedding, "max_retries": 0 }, () => new LazyTable().get());
    return provider === undefined ? {} : { id: provider.id, ...await probe(provider, signal) };
  });
  return { ...known, ...report };
}

/** Has each local model embed a short text. Without any model the provider does not work. */
async function localModels(models: NeuralModels | undefined, { language, signal }: Session) {
  if (models === undefined) return { ok: false, problem: message(language, "cli_doctor_no_models") };
  const reports: ModelReport[] = [];
  for (const [language, provider] of models.providers) {
    const { id, name = id } = provider;
    reports.push({ language, id, name, ...await probe(provider, signal) });
  }
  return { id: BUILTIN_ID, models: reports };
}

async function indexReport(session: Session, root: string): Promise<IndexReport> {
  const { config, ownPlaces, language, log, models: open } = session;
  try {
    const store = openStore(config, root, session);
    const facts = await store.facts?.();
    const loaded = await store.open();
    if (loaded.state !== "ready") return { root, ...present({ store: facts }), ...loaded };
    using index = loaded.index;
    await index.verify();
    await checkIndex(index, () => Promise.resolve());
    const { lacking = [] } = loaded;
    if (lacking.length > 0) {
      const problem = lacking.map((phrase) => phraseText(language, phrase)).join("; ");
      return { root, ...present({ store: facts }), state: "partial", problem };
    }
    const model = index.vectors?.model;
    const { other, stale } = await compareWithFolder(index, store, config, ownPlaces);
    const hasSettings = other === undefined;
    const isCurrent = hasSettings && (stale === undefined || stale.new + stale.changed + stale.removed === 0);
    const models = await open();
    const neural = models && await neuralShare(store, models);
    const { phrase, isWell = true } = await store.vectorPlace?.() ?? {};
    const vectorPlace = phrase && { text: phraseText(language, phrase), isWell };
    return {
      root,
      state: isCurrent ? "ready" : "behind",
      ...present({ model, neural, store: facts, vectorPlace }),
      ...(!isCurrent && present({ hasSettings, stale })),
    };
  } catch (error) {
    if (error instanceof DamagedIndexError) return { root, state: "damaged", problem: error.message };
    return { root, state: "unusable", problem: errorText(error, language, log.problem === undefined) };
  }
}

/** A question with passages. A language model gives a number for each passage, so one would not show that it counts them. */
const QUESTION = "茶 tea";
const PASSAGES = ["绿茶 green tea", "咖啡 coffee"];

/** Has the configured reranker judge two short passages. Returns `undefined` without a reranker of its own. */
async function rerankReport(session: Session): Promise<RerankReport | undefined> {
  const { config, signal } = session;
  const reranker = config.search.rerank ? await createReranker(config.rerank, config.llm.prompts) : undefined;
  if (reranker === undefined) return undefined;
  const { provider, path, timeout_seconds: seconds } = config.rerank;
  const { base_url: address, model, api_key: key } = maskSecrets(config).rerank;
  const known = provider === "local"
    ? { provider, path: path ?? "" }
    : { provider, server: { address: address ?? "", model: model ?? "", keySet: key !== null } };
  // A model on this machine is loaded first, which a search does not wait for.
  const limit = provider === "local" ? undefined : AbortSignal.timeout(seconds * 1000);
  try {
    return {
      ...known,
      ...await attempt(session, "doctor.rerank", async () => {
        if (provider === "llm") await checkConsent(session);
        const began = performance.now();
        const signals = limit === undefined ? signal : AbortSignal.any([signal, limit]);
        await reranker.score(QUESTION, PASSAGES, signals).catch((error) => {
          throw limit?.aborted ? new RerankFailure("timeout", { seconds }) : error;
        });
        return { milliseconds: Math.round(performance.now() - began) };
      }),
    };
  } finally {
    reranker.close?.();
  }
}

/** Throws if the user has agreed for no folder that its texts may be sent to the language model of `rerank`. */
async function checkConsent(session: Session): Promise<void> {
  const { rerankRefusal } = await import("../consent.ts");
  const [first] = session.roots;
  const refusals = session.roots.map((root) => rerankRefusal(session.config, session, [root]));
  const refusal = rerankRefusal(session.config, session, [first ?? ""]);
  if (refusal === undefined || refusals.some((one) => one === undefined)) return;
  throw first === undefined ? new UserError("cli_doctor_llm_no_consent", refusal.params) : refusal;
}

/** The lists of permissions that are reported. A locked process has no others. */
function boundaryReport({ read, write, net }: Deno.PermissionOptionsObject): BoundaryReport {
  const list = (value: unknown) => Array.isArray(value) ? value.map(String) : [];
  return { read: list(read), write: list(write), net: list(net) };
}
