/** The report of `doctor`: its findings, and their words for people. */
import type { Config } from "#foundation/configuration/mod.ts";
import { type Language, message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import type { FolderStatus, NeuralShare } from "#library/ingest/mod.ts";
import { PAGE_FILES, PROGRAM_FILES, PROMPT_FILES } from "#foundation/runtime.ts";
import type { StoreFacts, UnusableState } from "#library/store/mod.ts";
import { printableMessage } from "../say.ts";
import type { Style } from "../terminal_text.ts";
import type { Findings, ServerReport } from "./doctor_findings.ts";
import { type CollectorReport, collectorRows } from "./doctor_collector.ts";
import type { LanguageReport } from "./doctor_models.ts";
import { formatBytes, formatDuration } from "../progress.ts";
import { indexTodo, type Row, table } from "../output.ts";

/** Findings about the embedding provider. `server` is absent for a provider without one. */
export interface ProviderReport extends Findings {
  readonly provider: Config["embedding"]["provider"];
  readonly server?: ServerReport;
}

/** Findings about the reranker, which is a server or a model on this machine. */
export interface RerankReport extends Findings {
  readonly provider: Config["rerank"]["provider"];
  readonly server?: ServerReport;
  readonly path?: string;
}

/** Findings about one folder's index. */
export interface IndexReport {
  readonly root: string;
  /** Name of the collection of the configuration that the folder is. */
  readonly collection?: string;
  /**
   * `behind`: it can be searched, but files or settings have changed since it was made. `partial`: a part of it cannot be searched, or is of
   * an earlier run.
   */
  readonly state: "ready" | "behind" | "partial" | "missing" | "unusable" | UnusableState;
  /** Absent unless it is `behind`, and where the files are on another machine. */
  readonly stale?: NonNullable<FolderStatus["stale"]>;
  /** Whether it was made with the settings of the configuration. Absent unless it is `behind`. */
  readonly hasSettings?: boolean;
  /** The server that it lies on; absent where it lies in a folder. */
  readonly store?: StoreFacts;
  /** Identifier of the model of its own vectors; absent without vectors. */
  readonly model?: string;
  /** The vectors of neural models beside it; absent where none are used. */
  readonly neural?: NeuralShare;
  /** The place that proposes the nearest vectors; absent where the program always compares all of them. */
  readonly vectorPlace?: { readonly text: string; readonly isWell: boolean };
  readonly problem?: string;
}

/** Paths, and `host:port` without the proxy of a server: the runtime connects to that without a permission. */
export type BoundaryReport = Readonly<Record<"read" | "write" | "net", readonly string[]>>;

/** The findings of `doctor`. */
export interface DoctorReport {
  /** The version of Deno, the one that the program was written for, and whether it leaves out names that are not UTF-8. */
  readonly runtime: { readonly deno: string; readonly writtenFor: string; readonly hidesNames: boolean };
  /** The configuration file in use; null when there is none. */
  readonly source: string | null;
  readonly embedding: ProviderReport;
  /** Absent without a reranker beside the ranking's own. */
  readonly rerank?: RerankReport;
  /** Absent without a language model. */
  readonly languageModels?: readonly LanguageReport[];
  /** Absent where no traces are sent. */
  readonly collector?: CollectorReport;
  readonly folders: readonly IndexReport[];
  /** Why traces cannot be written; searches go on without. Absent while they can. */
  readonly traces?: string;
  /** Null where the process is not locked. */
  readonly boundary: BoundaryReport | null;
}

/** The report for the terminal. `configuration`: the file in use and how it was found. */
export function doctorText(
  report: DoctorReport,
  configuration: string | undefined,
  language: Language,
  style: Style,
): string {
  return table(doctorRows(report, configuration, language, style), language);
}

/** The lines of the report for the terminal, each with its label. */
export function doctorRows(
  { runtime, embedding, rerank, languageModels = [], collector, folders, traces, boundary }: DoctorReport,
  configuration: string | undefined,
  language: Language,
  style: Style,
): readonly Row[] {
  const { server } = embedding;
  const rows: Row[] = [
    ...runtimeRows(runtime, language),
    ["cli_doctor_configuration", configuration ?? message(language, "cli_config_builtin")],
    ["cli_doctor_provider", embedding.provider],
  ];
  if (server !== undefined) rows.push(...serverRows(server, language));
  for (const model of embedding.models ?? []) {
    rows.push(["cli_doctor_model", message(language, "cli_doctor_local_model", { ...model })]);
  }
  if (embedding.models === undefined) {
    rows.push(["cli_doctor_vectors", vectorsText(embedding, language, style)]);
  }
  if (rerank !== undefined) rows.push(...rerankRows(rerank, language, style));
  for (const model of languageModels) rows.push(...languageRows(model, language, style));
  if (collector !== undefined) rows.push(...collectorRows(collector, language, style));
  for (const folder of folders) {
    const { root, state, hasSettings, vectorPlace } = folder;
    const text = indexText(folder, language);
    rows.push(["cli_doctor_index", state === "ready" ? text : style.yellow(text)]);
    if (folder.store !== undefined) rows.push(["cli_doctor_store", storeText(folder.store, language, style)]);
    if (vectorPlace !== undefined) {
      const place = printable(vectorPlace.text);
      rows.push(["cli_doctor_nearest", vectorPlace.isWell ? place : style.yellow(place)]);
    }
    const todo = indexTodo(root, hasSettings === false ? "other settings" : state, language);
    if (todo !== undefined) rows.push(["cli_todo", todo]);
  }
  if (traces !== undefined) rows.push(["cli_doctor_traces", style.yellow(printable(traces))]);
  return [...rows, ...boundaryRows(boundary, server?.proxy, language)];
}

/** The server of an index: versions and sizes, and what should be done about them. */
function storeText(
  { server, pgvector, soundFrom, tables = 0, bytes, retired, isReplica, missingRoles }: StoreFacts,
  language: Language,
  style: Style,
): string {
  const sizes = { size: formatBytes(bytes), retired: formatBytes(retired) };
  const text = printableMessage(language, "cli_doctor_store_is", { server, tables, ...sizes });
  const more = [
    pgvector === undefined
      ? message(language, "cli_doctor_store_without_pgvector")
      : printableMessage(language, "cli_doctor_store_pgvector", { pgvector }),
    ...(isReplica ? [message(language, "cli_doctor_store_replica")] : []),
  ];
  const warnings = [
    ...(soundFrom === undefined
      ? []
      : [printableMessage(language, "cli_doctor_store_pgvector_old", { soundFrom })]),
    ...(missingRoles === undefined ? [] : [
      printableMessage(language, "cli_doctor_store_without_roles", { roles: missingRoles.join(", ") }),
    ]),
  ].map(style.yellow);
  return [text, ...more, ...warnings].join(message(language, "list_comma"));
}

function runtimeRows({ deno, writtenFor, hidesNames }: DoctorReport["runtime"], language: Language): Row[] {
  const key = deno === writtenFor ? "cli_doctor_runtime_is" : "cli_doctor_runtime_other";
  return [
    ["cli_doctor_runtime", message(language, key, { deno, writtenFor })],
    ...(hidesNames ? [["cli_doctor_names", message(language, "cli_names_hidden", { deno })] as const] : []),
  ];
}

function serverRows({ address, proxy, model, keySet }: ServerReport, language: Language): Row[] {
  return [
    ["cli_doctor_address", printable(address)],
    ...(proxy === undefined ? [] : [["cli_doctor_proxy", printable(proxy)] as const]),
    ["cli_doctor_model", printable(model)],
    ...(keySet === undefined ? [] : [
      [
        "cli_doctor_key",
        message(language, keySet ? "cli_doctor_key_set" : "cli_doctor_key_not_set"),
      ] as const,
    ]),
  ];
}

function rerankRows(
  { provider, server, path, ok, milliseconds = 0, problem = "" }: RerankReport,
  language: Language,
  style: Style,
): Row[] {
  const works = message(language, "cli_doctor_reranking_ok", { time: formatDuration(milliseconds / 1000) });
  return [
    ["cli_doctor_reranker", provider],
    ...(server === undefined ? [] : serverRows(server, language)),
    ...(path === undefined ? [] : [["cli_doctor_model", printable(path)] as const]),
    ["cli_doctor_reranking", ok ? style.green(`✓ ${works}`) : style.red(`✗ ${printable(problem)}`)],
  ];
}

function languageRows(
  { section, provider, server, tasks, notAsked }: LanguageReport,
  language: Language,
  style: Style,
): Row[] {
  return [
    [section === "llm" ? "cli_doctor_llm" : "cli_doctor_vision_llm", provider],
    ...serverRows(server, language),
    ...(notAsked === undefined ? [] : [["cli_doctor_llm_task", style.yellow(notAsked)] as const]),
    ...tasks.map(({ task, ok, form, milliseconds = 0, tokens, problem = "" }): Row => {
      if (!ok) return ["cli_doctor_llm_task", style.red(`✗ ${task}: ${printable(problem)}`)];
      const time = formatDuration(milliseconds / 1000);
      const params = {
        task,
        form: form ?? "text",
        time,
        input: tokens?.input ?? 0,
        output: tokens?.output ?? 0,
      };
      return ["cli_doctor_llm_task", style.green(`✓ ${message(language, "cli_doctor_llm_works", params)}`)];
    }),
  ];
}

function boundaryRows(
  boundary: BoundaryReport | null,
  proxy: string | undefined,
  language: Language,
): Row[] {
  if (boundary === null) return [["cli_doctor_may_otherwise", message(language, "cli_doctor_unlocked")]];
  // In an executable the program's files are the executable itself, or have a path that does not exist on the disk.
  const ours = [PROGRAM_FILES, PAGE_FILES, ...PROMPT_FILES];
  const isOurs = (path: string) => Deno.build.standalone && ours.includes(path);
  const shown = (value: string) =>
    isOurs(value) ? message(language, "cli_doctor_own_files") : printable(value);
  const rows = (label: MessageKey, values: readonly string[]): Row[] =>
    values.length === 0
      ? [[label, message(language, "cli_doctor_may_nothing")]]
      : [...new Set(values.map(shown))].map((value) => [label, value]);
  const by = proxy === undefined ? [] : [printableMessage(language, "cli_doctor_may_reach_proxy", { proxy })];
  return [
    ...rows("cli_doctor_may_read", boundary.read),
    ...rows("cli_doctor_may_write", boundary.write),
    ...rows("cli_doctor_may_reach", [...boundary.net, ...by]),
    ["cli_doctor_may_start", message(language, "cli_doctor_may_start_itself")],
    ["cli_doctor_may_otherwise", message(language, "cli_doctor_may_not")],
  ];
}

function vectorsText(embedding: ProviderReport, language: Language, style: Style): string {
  const { ok, problem = "", dimensions, milliseconds = 0 } = embedding;
  if (!ok) return style.red(`✗ ${printable(problem)}`);
  if (dimensions === undefined) return message(language, "cli_doctor_vectors_none");
  const time = formatDuration(milliseconds / 1000);
  return style.green(`✓ ${message(language, "cli_doctor_vectors_ok", { dimensions, time })}`);
}

/** The problems of a report, one text for each. */
export function problemsIn(
  { embedding, rerank, languageModels = [], collector, folders }: DoctorReport,
  language: Language,
): string[] {
  const provider = message(language, "cli_doctor_provider_fails", { problem: embedding.problem ?? "" });
  const reranker = message(language, "cli_doctor_reranker_fails", { problem: rerank?.problem ?? "" });
  return [
    ...(embedding.ok ? [] : [printable(provider)]),
    ...(rerank?.ok === false ? [printable(reranker)] : []),
    ...languageModels.flatMap(({ tasks }) => tasks.filter(({ ok }) => !ok)).map(({ task, problem = "" }) =>
      printable(message(language, "cli_doctor_llm_fails", { task, problem }))
    ),
    ...(collector?.ok === false ? [printable(collector.problem ?? "")] : []),
    ...folders.filter(({ state }) => state !== "ready").map((folder) => indexText(folder, language)),
  ];
}

/** The verdict of a report: that all is well, the only problem, or how many there are. */
export function verdict({ folders }: DoctorReport, problems: readonly string[], language: Language): string {
  const [first, second] = problems;
  if (first === undefined) {
    return message(language, folders.length === 0 ? "cli_doctor_ok_empty" : "cli_doctor_ok");
  }
  return second === undefined
    ? message(language, "cli_doctor_problem", { text: first })
    : message(language, "cli_doctor_problems", { count: problems.length });
}

function indexText(
  { root, collection, state, model, neural, problem, hasSettings, stale }: IndexReport,
  language: Language,
): string {
  const named = { root, name: collection ?? "" };
  const dir = collection === undefined ? root : message(language, "cli_folder_of_collection", named);
  const params = { dir, model: model ?? "" };
  if (state === "ready" && neural !== undefined) {
    const { names, done, total } = neural;
    const share = { ...params, names: names.join(", "), done, total };
    return printableMessage(language, "cli_doctor_index_neural", share);
  }
  if (state === "ready") {
    const key = model === undefined ? "cli_doctor_index_keywords" : "cli_doctor_index_ready";
    return printableMessage(language, key, params);
  }
  if (state === "behind") {
    const key = hasSettings ? "cli_doctor_index_behind" : "cli_doctor_index_settings";
    return printableMessage(language, key, { ...params, ...stale });
  }
  const text = printableMessage(language, `cli_doctor_index_${state}`, params);
  return problem === undefined ? text : `${text} (${printable(problem)})`;
}
