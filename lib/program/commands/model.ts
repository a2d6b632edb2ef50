/**
 * The commands `model install`, `model list` and `model remove`:
 * downloads and models of the user, with their progress.
 */
import {
  BUNDLED,
  CATALOGUE,
  type CatalogueModel,
  type FailedSource,
  type Installed,
  installFrom,
  installModel,
  type InstallProgress,
  lockModels,
  mayRedirectTo,
  MODEL_IDS,
  type ModelId,
  ModelPlace,
  type ModelState,
  modelStates,
} from "#models/install/mod.ts";
import { type Language, message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import { OwnFolder } from "#foundation/boundary/mod.ts";
import { type Context, EXIT } from "../context.ts";
import { confirm, errorText, note, printableMessage, printJson, warn } from "../say.ts";
import { barOf, byteParams, formatBytes, type Progress, showProgress } from "../progress.ts";
import type { Session } from "../request.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { cutToWidth, type Style, styleFor } from "../terminal_text.ts";

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
    const { result: { path, source = "none" }, failed } = await withProgress(session, model, hinted);
    installed.push(reportInstalled(session, model, { id, path, source, catalogue: true }));
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
  { name, files }: Pick<CatalogueModel, "name" | "files">,
  model: Pick<InstalledModel, "id" | "path" | "source" | "catalogue">,
): InstalledModel {
  const { id, path, source, catalogue } = model;
  const bytes = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  const key = source === "none" ? "cli_model_already" : "cli_model_installed";
  note(session, key, { id, name, path, size: formatBytes(bytes) });
  return { id, name, path, bytes, source, catalogue };
}

/** `model install --from PATH`: installs the models that are there, or those that are named, which must be there. */
async function installNamed(session: Session): Promise<number> {
  const { operands, flags, signal, named: [path = ""] } = session;
  const dir = session.modelsDir!;
  const ids = operands.length === 0 ? MODEL_IDS : modelsNamed(operands);
  const models: InstalledModel[] = [];
  using _lock = await lockModels(new OwnFolder(dir), signal, () => note(session, "cli_model_waiting"));
  let partial: UserError | undefined;
  for (const id of ids) {
    try {
      const installed = await installFrom(CATALOGUE[id], path, {
        dir,
        acceptsOwn: operands.length > 0,
        signal,
      });
      const { description, isOfCatalogue: catalogue } = installed;
      if (!catalogue) note(session, "cli_model_own_note", { path, name: description.name, id });
      const model = { id, path: installed.path, source: "path", catalogue };
      models.push(reportInstalled(session, description, model));
    } catch (error) {
      const isElsewhere = error instanceof UserError && error.key === "model_not_in" && operands.length === 0;
      if (!isElsewhere) throw error;
      const count = String(error.params["missing"]).split(", ").length;
      if (count < Object.keys(CATALOGUE[id].files).length) partial ??= error;
    }
  }
  if (models.length === 0) throw partial ?? new UserError("cli_model_none_in", { path });
  if (flags.json) await printJson(session, { dir, models, failures: [] });
  noteUse(session, models.map(({ id }) => id));
  return EXIT.done;
}

interface InstalledModel {
  readonly id: ModelId;
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Kind of the source, or `path` for files of the user. `none`: the model was there already. */
  readonly source: string;
  /** Whether its files are those of the catalogue. */
  readonly catalogue: boolean;
}

/** Says which settings use the models that were installed, unless they are in effect. */
function noteUse(session: Session, ids: readonly ModelId[]): void {
  const { embedding, files } = session.config;
  const used = ids.filter((id) => CATALOGUE[id].use !== undefined);
  if (embedding.provider !== "local" && used.length > 0) {
    note(session, "cli_model_use", { ids: used.join(", ") });
  }
  if (files.ocr === "off" && ids.includes("ocr")) note(session, "cli_model_use_ocr");
}

/** Starts to show the progress of a download: a bar on a terminal, one line for each source elsewhere. */
export async function startDownloadProgress(context: Context): Promise<Progress<InstallProgress>> {
  const { language } = context;
  let first: { readonly host: string; readonly bytes: number; readonly at: number } | undefined;
  const shown = await showProgress<InstallProgress>(context, {
    line: (progress, columns) => {
      const seconds = first === undefined ? 0 : (performance.now() - first.at) / 1000;
      const rate = seconds > 0 ? (progress.bytesDone - first!.bytes) / seconds : 0;
      return downloadBarText(progress, rate, columns, language);
    },
    step: ({ model: { name }, bytesTotal, host }) =>
      message(language, "cli_model_step", { name, host, size: formatBytes(bytesTotal) }),
  });
  return {
    update: (progress) => {
      // A continued download begins with the bytes that were there.
      if (first?.host !== progress.host) {
        first = { host: progress.host, bytes: progress.bytesDone, at: performance.now() };
      }
      shown.update(progress);
    },
    [Symbol.dispose]: () => shown[Symbol.dispose](),
  };
}

/** The line of the bar. `rate`: bytes a second. */
export function downloadBarText(
  { model: { name }, bytesDone, bytesTotal }: InstallProgress,
  rate: number,
  columns: number,
  language: Language,
): string {
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : 1;
  const percent = Math.floor(Math.min(1, share) * 100);
  const params = { name, bar: barOf(share), percent, ...byteParams({ bytesDone, bytesTotal }, rate) };
  return cutToWidth(message(language, "cli_model_bar", params), columns);
}

/** `model list`: the state of every model. Fails if one is damaged. */
export async function modelList(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const dir = session.modelsDir!;
  const states = await modelStates(dir, { verify: flags.verify ?? false });
  const isDamaged = states.some(({ state }) => state === "damaged");
  if (flags.json) await printJson(session, { dir, models: states.map(jsonOf) });
  else {
    const style = styleFor(io, "stdout");
    await io.out([
      printableMessage(language, "cli_model_folder", { path: dir }),
      ...states.map((state) => stateText(state, language, style)),
      "",
    ].join("\n"));
  }
  return isDamaged ? EXIT.failed : EXIT.done;
}

function jsonOf({ id, state, path, description, bytes, languages, isOfCatalogue, damage }: ModelState) {
  const { name, licence, revision } = description;
  const model = { id, name, languages, state, path, bytes, licence, revision, catalogue: isOfCatalogue };
  return { ...model, ...(damage !== undefined && { damage }) };
}

function stateText(
  { id, state, path, description: { name, licence }, bytes, languages, isOfCatalogue, damage }: ModelState,
  language: Session["language"],
  style: Style,
): string {
  const colour = state === "installed" ? style.green : state === "damaged" ? style.red : style.yellow;
  const own = isOfCatalogue ? "" : message(language, "cli_model_own");
  const facts = [languages.join("+"), formatBytes(bytes), printable(licence)].filter((fact) => fact !== "");
  const shown = colour(message(language, `cli_model_state_${state}`));
  const lines = [`  ${id.padEnd(4)} ${shown}  ${printable(name)}${own} (${facts.join(", ")})`];
  if (state !== "missing") lines.push(`       ${printable(path)}`);
  if (damage !== undefined) {
    const { file, reason } = damage;
    const known = reason === "missing" || reason === "size" || reason === "sha256" ? reason : "other";
    lines.push(`       ${printableMessage(language, `cli_model_damage_${known}`, { file, reason })}`);
    lines.push(`       ${message(language, "cli_model_repair", { id })}`);
  }
  return lines.join("\n");
}

/** `model remove`: asks, then removes models and what interrupted downloads have left of them. */
export async function modelRemove(session: Session): Promise<number> {
  const { flags, operands, language, signal } = session;
  const dir = session.modelsDir!;
  const ids = modelsNamed(operands);
  const there = ids.map((id) => ({ id, place: new ModelPlace(dir, id) }))
    .filter(({ place }) => place.bytes() > 0);
  const removed = there.map(({ id }) => id);
  const names = removed.join(message(language, "list_comma"));
  const bytes = there.reduce((sum, { place }) => sum + place.bytes(), 0);
  const params = { names, size: formatBytes(bytes) };
  if (there.length > 0) {
    if (!await confirm(session, "cli_model_confirm_remove", params)) return EXIT.failed;
    using _lock = await lockModels(new OwnFolder(dir), signal, () => note(session, "cli_model_waiting"));
    for (const { place } of there) await place.remove();
  }
  const key = there.length === 0 ? "cli_model_nothing" : "cli_model_removed";
  if (flags.json) await printJson(session, { removed, bytes }, message(language, key, params));
  else note(session, key, params);
  const contained = removed.filter((id) => BUNDLED.includes(id));
  if (session.containsModels && contained.length > 0) {
    note(session, "cli_model_contained", { names: contained.join(message(language, "list_comma")) });
  }
  return EXIT.done;
}

/** The models that the words of a command line name, each once; `all` names all. Throws `UsageError` `cli_model_unknown`. */
function modelsNamed(words: readonly string[]): ModelId[] {
  const known: readonly string[] = [...MODEL_IDS, "all"];
  const name = words.find((word) => !known.includes(word));
  if (name !== undefined) throw new UsageError("cli_model_unknown", { name, names: known.join(", ") });
  return MODEL_IDS.filter((id) => words.includes("all") || words.includes(id));
}
