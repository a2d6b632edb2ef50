import type { Config } from "../../../config/mod.ts";
import { type Language, message, type MessageKey, printable } from "../../../messages.ts";
import { PROGRAM_FILES } from "../../../program_root.ts";
import type { UnusableState } from "../../../store/mod.ts";
import { formatDuration } from "../../format.ts";
import { indexTodo } from "../../index_todo.ts";
import { type Row, table } from "../../output.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Style } from "../../style.ts";

/** The embedding server. */
export interface ServerReport {
  readonly address: string;
  /** `host:port` of the proxy that the server is reached by; absent without one. */
  readonly proxy?: string;
  readonly model: string;
  readonly keySet: boolean;
}

/** Findings of `doctor` about the embedding provider. */
export interface ProviderReport {
  readonly provider: Config["embedding"]["provider"];
  /** Absent for a provider without a server. It holds no secrets. */
  readonly server?: ServerReport;
  readonly ok: boolean;
  /** Identifier of the provider; absent for `none`. */
  readonly id?: string;
  readonly dimensions?: number;
  /** Time to embed one short text. */
  readonly milliseconds?: number;
  /** The problem as a message. */
  readonly problem?: string;
}

/** Findings of `doctor` about one folder's index. */
export interface IndexReport {
  readonly root: string;
  readonly state: "ready" | "missing" | "unusable" | UnusableState;
  /** Identifier of the provider of its vectors; absent without vectors. */
  readonly model?: string;
  readonly problem?: string;
}

/**
 * Permissions of the process, each a list of paths or of `host:port`. The proxy of a server is not among them: the runtime
 * connects to it without a permission.
 */
export interface BoundaryReport {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly net: readonly string[];
}

/** The findings of `doctor`. */
export interface DoctorReport {
  /** The configuration file in use; null when there is none. */
  readonly source: string | null;
  readonly embedding: ProviderReport;
  readonly folders: readonly IndexReport[];
  /** Null where the process is not locked. */
  readonly boundary: BoundaryReport | null;
}

/** The lists of permissions that are reported. A locked process has no others. */
export function boundaryReport({ read, write, net }: Deno.PermissionOptionsObject): BoundaryReport {
  const list = (value: unknown) => Array.isArray(value) ? value.map(String) : [];
  return { read: list(read), write: list(write), net: list(net) };
}

/** The report for the terminal. */
export function doctorText(
  { source, embedding, folders, boundary }: DoctorReport,
  language: Language,
  style: Style,
): string {
  const { server, id } = embedding;
  const rows: Row[] = [
    [
      "cli_doctor_configuration",
      source === null ? message(language, "cli_config_builtin") : printable(source),
    ],
    ["cli_doctor_provider", embedding.provider],
  ];
  if (server !== undefined) {
    rows.push(["cli_doctor_address", printable(server.address)]);
    if (server.proxy !== undefined) rows.push(["cli_doctor_proxy", printable(server.proxy)]);
    rows.push(
      ["cli_doctor_model", printable(server.model)],
      ["cli_doctor_key", message(language, server.keySet ? "cli_doctor_key_set" : "cli_doctor_key_not_set")],
    );
  }
  rows.push(["cli_doctor_vectors", vectorsText(embedding, language, style)]);
  for (const folder of folders) {
    const text = indexText(folder, id, language);
    rows.push(["cli_doctor_index", folder.state === "ready" ? text : style.yellow(text)]);
    const todo = indexTodo(folder.root, folder.state, language);
    if (todo !== undefined) rows.push(["cli_todo", todo]);
  }
  return table([...rows, ...boundaryRows(boundary, server?.proxy, language)], language);
}

function boundaryRows(
  boundary: BoundaryReport | null,
  proxy: string | undefined,
  language: Language,
): Row[] {
  if (boundary === null) return [["cli_doctor_may_otherwise", message(language, "cli_doctor_unlocked")]];
  // Inside an executable the program's files have a path that does not exist on the disk.
  const isOurs = (path: string) => Deno.build.standalone && path === PROGRAM_FILES;
  const rows = (label: MessageKey, values: readonly string[]): Row[] =>
    values.length === 0 ? [[label, message(language, "cli_doctor_may_nothing")]] : values.map((
      value,
    ) => [label, isOurs(value) ? message(language, "cli_doctor_own_files") : printable(value)]);
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
  if (!embedding.ok) return style.red(`✗ ${printable(embedding.problem ?? "")}`);
  if (embedding.dimensions === undefined) return message(language, "cli_doctor_vectors_none");
  const time = formatDuration((embedding.milliseconds ?? 0) / 1000);
  const { dimensions } = embedding;
  return style.green(`✓ ${message(language, "cli_doctor_vectors_ok", { dimensions, time })}`);
}

/**
 * The verdict of a report without problems of the embedding provider: that all is well, the one index that cannot be used, or
 * how many cannot.
 */
export function indexVerdict({ folders, embedding }: DoctorReport, language: Language): string {
  const unusable = folders.filter(({ state }) => state !== "ready");
  const [first, ...more] = unusable;
  if (first === undefined) return message(language, "cli_doctor_ok");
  if (more.length > 0) return message(language, "cli_doctor_problem_indexes", { count: unusable.length });
  return printableMessage(language, "cli_doctor_problem_index", {
    text: indexText(first, embedding.id, language),
  });
}

function indexText(
  { root, state, model, problem }: IndexReport,
  id: string | undefined,
  language: Language,
): string {
  const params = { dir: root, model: model ?? "" };
  if (state === "ready") {
    const other = id !== undefined && model !== id;
    const key: MessageKey = model === undefined
      ? "cli_doctor_index_keywords"
      : other
      ? "cli_doctor_index_other"
      : "cli_doctor_index_ready";
    return printableMessage(language, key, params);
  }
  const text = printableMessage(language, `cli_doctor_index_${state}`, params);
  return problem === undefined ? text : `${text} (${printable(problem)})`;
}
