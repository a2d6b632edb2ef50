import { collectionOf, type Config, maskSecrets } from "../../../config/mod.ts";
import { BUILTIN_ID, createProvider, LazyTable } from "../../../embedding/mod.ts";
import { DamagedIndexError } from "../../../index/mod.ts";
import { message } from "../../../messages.ts";
import { checkIndex, compareWithFolder, neuralShare } from "../../../ingest/mod.ts";
import { HIDES_NAMES, WRITTEN_FOR } from "../../../runtime.ts";
import { folderStore } from "../../../store/mod.ts";
import { configurationData, configurationText } from "../../configuration.ts";
import { abortable } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { styleFor } from "../../style.ts";
import {
  boundaryReport,
  type DoctorReport,
  doctorText,
  type IndexReport,
  type ModelReport,
  problemsIn,
  type ProviderReport,
  verdict,
} from "./doctor_report.ts";
import { rerankReport } from "./rerank_report.ts";

/** A short text in both languages of the program. */
const PROBE = "检查 check";

/**
 * `doctor`: reports the runtime, the configuration in effect, whether the embedding provider works (one request, no retry) and
 * the reranker as well, the model of each index's vectors, and the permissions of the process. Every byte of the indexes is checked, and they are compared with
 * the folders and the settings. The verdict is last. Exit code 1 if the provider or the reranker does not work, or if a folder's index is
 * missing, cannot be searched, or is out of date.
 */
export async function doctor(session: Session): Promise<number> {
  const { io, flags, language, config, permissions, source, log, signal } = session;
  const embedding = await abortable(providerReport(session), signal);
  const rerank = await abortable(rerankReport(session), signal);
  const folders: IndexReport[] = [];
  for (const root of session.roots) {
    const collection = collectionOf(config, root)?.name;
    folders.push({
      ...(collection === undefined ? {} : { collection }),
      ...await indexReport(session, root),
    });
  }
  const boundary = permissions === undefined ? null : boundaryReport(permissions);
  const report: DoctorReport = {
    runtime: { deno: Deno.version.deno, writtenFor: WRITTEN_FOR, hidesNames: HIDES_NAMES },
    ...{ source, ...configurationData(session), embedding },
    ...(rerank === undefined ? {} : { rerank }),
    ...{ folders, boundary },
  };
  log.info("doctor", { ...report, provider: config.embedding.provider });
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

async function providerReport(session: Session): Promise<ProviderReport> {
  const { config, proxy, language, log, signal } = session;
  if (config.embedding.provider === "local") return await localReport(session);
  const known = { provider: config.embedding.provider, ...serverIn(config, proxy) };
  try {
    const provider = createProvider({ ...config.embedding, "max_retries": 0 }, () => new LazyTable().get());
    if (provider === undefined) return { ...known, ok: true };
    const began = performance.now();
    const [vector] = await provider.embed([PROBE], "query", signal);
    const milliseconds = Math.round(performance.now() - began);
    return { ...known, ok: true, id: provider.id, dimensions: vector!.length, milliseconds };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("doctor.provider", { error: error instanceof Error ? error.stack : String(error) });
    return { ...known, ok: false, problem: errorText(error, language, log.problem === undefined) };
  }
}

/** Has each local model embed a short text. Without any model the provider does not work. */
async function localReport({ models: open, language, log, signal }: Session): Promise<ProviderReport> {
  const known = { provider: "local" } as const;
  try {
    const models = await open();
    if (models === undefined) {
      return { ...known, ok: false, problem: message(language, "cli_doctor_no_models") };
    }
    const reports: ModelReport[] = [];
    for (const [language, provider] of models.providers) {
      const began = performance.now();
      const [vector] = await provider.embed([PROBE], "query", signal);
      const milliseconds = Math.round(performance.now() - began);
      const { id, name = id } = provider;
      reports.push({ language, id, name, dimensions: vector!.length, milliseconds });
    }
    return { ...known, ok: true, id: BUILTIN_ID, models: reports };
  } catch (error) {
    signal.throwIfAborted();
    log.warning("doctor.models", { error: error instanceof Error ? error.stack : String(error) });
    return { ...known, ok: false, problem: errorText(error, language, log.problem === undefined) };
  }
}

function serverIn(config: Config, proxy: string | undefined): Pick<ProviderReport, "server"> {
  const { provider, base_url: address, model, api_key: key } = maskSecrets(config).embedding;
  if (provider === "builtin" || provider === "local" || provider === "none") return {};
  const by = proxy === undefined ? {} : { proxy };
  return { server: { address: address ?? "", ...by, model: model ?? "", keySet: key !== null } };
}

async function indexReport(
  { config, ownPlaces, language, log, indexKey, indexDirs, models: open }: Session,
  root: string,
): Promise<IndexReport> {
  try {
    const store = folderStore(root, indexKey, indexDirs);
    const loaded = await store.open();
    if (loaded.state !== "ready") return { root, ...loaded };
    using index = loaded.index;
    await index.verify();
    await checkIndex(index, () => Promise.resolve());
    const model = index.vectors?.model;
    const { other, stale } = await compareWithFolder(index, root, config, ownPlaces);
    const hasSettings = other === undefined;
    const isCurrent = hasSettings && stale.new + stale.changed + stale.removed === 0;
    const models = await open();
    const neural = models && await neuralShare(store, models, indexKey);
    return {
      root,
      state: isCurrent ? "ready" : "behind",
      ...(model === undefined ? {} : { model }),
      ...(neural === undefined ? {} : { neural }),
      ...(isCurrent ? {} : { hasSettings, stale }),
    };
  } catch (error) {
    if (error instanceof DamagedIndexError) return { root, state: "damaged", problem: error.message };
    return { root, state: "unusable", problem: errorText(error, language, log.problem === undefined) };
  }
}
