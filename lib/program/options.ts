/**
 * Every flag of the command line with its syntax, help and choices,
 * and values that a declaration and its command both read.
 */
import { LANGUAGES, SEARCH_MODES, TOP_K } from "#foundation/configuration/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";

/** Forms in which `search` prints hits: for readers, for programs, one path a line, a Markdown list. */
const HIT_FORMATS = ["text", "json", "paths", "md"] as const;

export type HitFormat = typeof HIT_FORMATS[number];

/** One flag of the command line. */
interface OptionSpec {
  /** The flag in commander's syntax. */
  readonly flags: string;
  /** The flag in the help, if it has a two-letter short form, which commander does not support. */
  readonly shown?: string;
  readonly help: MessageKey;
  /** The help with these commands, for which the flag means something else in detail. */
  readonly helpWith?: Readonly<Record<string, MessageKey>>;
  readonly choices?: readonly string[];
  /** Bounds of a whole number, both inclusive. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly repeatable?: boolean;
}

/** Every flag. A flag means the same with each command that takes it. The general help lists flags in this order. */
const SPECS = {
  dir: { flags: "-d, --dir <dir>", help: "cli_help_dir", repeatable: true },
  collection: {
    flags: "--collection <name>",
    help: "cli_help_collection",
    helpWith: { "token add": "cli_help_collection_token" },
    repeatable: true,
  },
  all: { flags: "--all", help: "cli_help_all" },
  indexDir: { flags: "--index-dir <dir>", help: "cli_help_index_dir" },
  config: {
    flags: "-c, --config <file>",
    help: "cli_help_config",
    helpWith: { "config init": "cli_help_config_init" },
  },
  full: { flags: "--full", help: "cli_help_full" },
  wait: { flags: "--wait", help: "cli_help_wait" },
  estimate: { flags: "--estimate", help: "cli_help_estimate" },
  consent: { flags: "--consent <host>", help: "cli_help_consent", repeatable: true },
  clean: { flags: "--clean", shown: "-cl, --clean", help: "cli_help_clean" },
  backup: { flags: "-b, --backup", help: "cli_help_backup" },
  backupPath: {
    flags: "--backup-path <path>",
    shown: "-bp, --backup-path <path>",
    help: "cli_help_backup_path",
  },
  to: { flags: "--to <file>", help: "cli_help_to" },
  serve: { flags: "--serve", help: "cli_help_serve" },
  update: { flags: "--update", help: "cli_help_update", helpWith: { setup: "cli_help_update_setup" } },
  noWatch: {
    flags: "--no-watch",
    help: "cli_help_no_watch",
    helpWith: { setup: "cli_help_no_watch_setup" },
  },
  http: { flags: "--http", help: "cli_help_http" },
  ui: { flags: "--ui", help: "cli_help_ui" },
  noOpen: { flags: "--no-open", help: "cli_help_no_open" },
  host: { flags: "--host <address>", help: "cli_help_host" },
  port: {
    flags: "--port <n>",
    help: "cli_help_port",
    helpWith: { ui: "cli_help_port_ui" },
    range: { min: 0, max: 65_535 },
  },
  allowHost: { flags: "--allow-host <name>", help: "cli_help_allow_host", repeatable: true },
  tokenEnv: {
    flags: "--token-env <name>",
    help: "cli_help_token_env",
    helpWith: { setup: "cli_help_token_env_setup" },
  },
  accessLevel: { flags: "--access-level <level>", help: "cli_help_access_level", repeatable: true },
  expires: { flags: "--expires <time>", help: "cli_help_expires" },
  tlsCert: { flags: "--tls-cert <file>", help: "cli_help_tls_cert" },
  tlsKey: { flags: "--tls-key <file>", help: "cli_help_tls_key" },
  yes: { flags: "--yes", help: "cli_help_yes" },
  json: { flags: "--json", help: "cli_help_json" },
  quiet: { flags: "--quiet", help: "cli_help_quiet" },
  allowSensitive: { flags: "--allow-sensitive", help: "cli_help_allow_sensitive" },
  language: { flags: "--language <language>", help: "cli_help_language", choices: LANGUAGES },
  noUpdate: { flags: "--no-update", help: "cli_help_no_update" },
  topK: { flags: "--top-k <n>", help: "cli_help_top_k", range: TOP_K },
  mode: { flags: "--mode <mode>", help: "cli_help_mode", choices: SEARCH_MODES },
  filter: { flags: "--filter <json>", help: "cli_help_filter", repeatable: true },
  explain: { flags: "--explain", help: "cli_help_explain" },
  format: { flags: "--format <format>", help: "cli_help_format", choices: HIT_FORMATS },
  fullText: { flags: "--full-text", help: "cli_help_full_text" },
  context: { flags: "--context <n>", help: "cli_help_context", range: { min: 0, max: 1000 } },
  force: {
    flags: "--force",
    help: "cli_help_force",
    helpWith: {
      setup: "cli_help_force_setup",
      restore: "cli_help_force_restore",
      import: "cli_help_force_import",
    },
  },
  earlier: { flags: "--earlier <question>", help: "cli_help_earlier", repeatable: true },
  question: { flags: "--question <text>", help: "cli_help_question" },
  passages: { flags: "--passages <file>", help: "cli_help_passages", repeatable: true },
  text: { flags: "--text <sentence>", help: "cli_help_text" },
  chunk: { flags: "--chunk <id>", help: "cli_help_chunk" },
  compare: { flags: "--compare <list>", help: "cli_help_compare" },
  min: { flags: "--min <metric=value>", help: "cli_help_min", repeatable: true },
  evaluator: { flags: "--evaluator <command>", help: "cli_help_evaluator" },
  baseline: { flags: "--baseline <run>", help: "cli_help_baseline" },
  worst: { flags: "--worst <n>", help: "cli_help_worst", range: { min: 0, max: 1000 } },
  page: { flags: "--page <n>", help: "cli_help_page", range: { min: 1, max: 1_000_000 } },
  files: { flags: "--files", help: "cli_help_files" },
  skipped: { flags: "--skipped", help: "cli_help_skipped" },
  failed: {
    flags: "--failed",
    help: "cli_help_failed",
    helpWith: { "trace list": "cli_help_failed_traces" },
  },
  facets: { flags: "--facets", help: "cli_help_facets" },
  kind: { flags: "--kind <kind>", help: "cli_help_kind", choices: ["query", "ingestion"] },
  limit: { flags: "--limit <n>", help: "cli_help_limit", range: { min: 1, max: 100_000 } },
  deep: { flags: "--deep", help: "cli_help_deep" },
  write: { flags: "--write", help: "cli_help_write" },
  dryRun: { flags: "--dry-run", help: "cli_help_dry_run" },
  remove: { flags: "--remove", help: "cli_help_remove" },
  project: { flags: "--project <dir>", help: "cli_help_project" },
  url: { flags: "--url <url>", help: "cli_help_url" },
  name: { flags: "--name <name>", help: "cli_help_name" },
  from: { flags: "--from <path>", help: "cli_help_from" },
  check: { flags: "--check", help: "cli_help_check" },
  verify: { flags: "--verify", help: "cli_help_verify" },
  version: { flags: "-v, --version", help: "cli_help_version" },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** The name of a flag in {@linkcode Flags}. */
export type FlagName = keyof typeof SPECS;

/** See {@linkcode SPECS}. */
export const OPTIONS: Readonly<Record<FlagName, OptionSpec>> = SPECS;

/** The value of a flag: one of its choices, a number in its range, a text, or whether it was given. */
type ValueOf<Spec> = Spec extends { repeatable: true } ? string[]
  : Spec extends { choices: readonly (infer Choice)[] } ? Choice
  : Spec extends { range: object } ? number
  : Spec extends { flags: `${string}<${string}` } ? string
  : boolean;

/**
 * Values of the flags of one command line, as typed. A flag that was not given is absent; `dir` is then empty. `--json` sets
 * `format` to `json`, and that sets `json`.
 */
export type Flags =
  & { dir: string[] }
  & { -readonly [Name in Exclude<FlagName, "dir">]?: ValueOf<typeof SPECS[Name]> };

/** The two-letter short forms of the contract, with their long forms. */
export const TWO_LETTER_FORMS: Readonly<Record<string, string>> = {
  "-cl": "--clean",
  "-bp": "--backup-path",
};

/** Flags of every command that reads the configuration. */
export const COMMON_FLAGS = ["config", "language", "quiet"] as const satisfies readonly FlagName[];

/** Flags that only make sense with `--http`. */
export const HTTP_FLAGS = [
  "host",
  "port",
  "allowHost",
  "tokenEnv",
  "tlsCert",
  "tlsKey",
] as const satisfies readonly FlagName[];

/** The long form of a flag: `--top-k`. */
export function longForm(flag: FlagName): string {
  return /--[a-z-]+/.exec(OPTIONS[flag].flags)?.[0] ?? flag;
}

/** The shells for which there are completions. */
export const SHELLS = ["bash", "zsh", "fish", "pwsh"] as const;

export type Shell = typeof SHELLS[number];

/** The names that `--compare` gives, in its order, without blanks. */
export function comparedNames(list: string): string[] {
  return list.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/** The configuration files among the names of `--compare`, each once. */
export function configurationFilesIn(list: string): string[] {
  return [...new Set(comparedNames(list).filter((name) => /\.(?:ya?ml|json)$/i.test(name)))];
}

/**
 * The words of the command of `--evaluator`, as a shell would take them: separated by blanks, but not in quotes. A backslash is an ordinary
 * character, as in paths of Windows, and nothing is expanded. Throws `UsageError` `cli_evaluator_invalid`.
 */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  for (const [, text] of command.matchAll(/((?:"[^"]*"|'[^']*'|[^\s"'])+)|["']/g)) {
    if (text === undefined) throw new UsageError("cli_evaluator_invalid", { command });
    words.push(text.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
  }
  if ((words[0] ?? "") === "") throw new UsageError("cli_evaluator_invalid", { command });
  return words;
}

/** The value of `--baseline` as a path; `undefined` for the name of a run that is kept. */
export function baselineFile(run: string | undefined): string | undefined {
  return run !== undefined && /[/\\]|\.json$/i.test(run) ? run : undefined;
}

/** The flags that only mean something with a client. */
export const CLIENT_FLAGS = [
  "dir",
  "update",
  "noWatch",
  "url",
  "tokenEnv",
  "write",
  "project",
  "name",
  "force",
  "yes",
] as const satisfies readonly FlagName[];

/** The clients that `setup` knows, as the command line names them, in the order of the list. */
export const CLIENT_IDS = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "windsurf",
  "cline",
  "zed",
  "codex",
  "gemini-cli",
  "qwen-code",
  "kimi",
  "continue",
  "lm-studio",
  "cherry-studio",
  "trae",
] as const;
