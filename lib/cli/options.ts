import { LANGUAGES, SEARCH_MODES, TOP_K } from "../config/mod.ts";
import type { Language, MessageKey } from "../messages.ts";
import type { SearchMode } from "../search/types.ts";

/** Values of the flags of one command line. A flag that was not given is `undefined`, false or empty. */
export interface Flags {
  /** As typed, in their order. */
  dir: string[];
  config?: string;
  full?: boolean;
  clean?: boolean;
  backup?: boolean;
  backupPath?: string;
  serve?: boolean;
  language?: Language;
  allowSensitive?: boolean;
  yes?: boolean;
  json?: boolean;
  quiet?: boolean;
  /** Whether the server brings the indexes up to date. */
  update?: boolean;
  /** Whether the search leaves the indexes as they are. */
  noUpdate?: boolean;
  topK?: number;
  mode?: SearchMode;
  explain?: boolean;
  force?: boolean;
  /** As typed: names and files, separated by commas. */
  compare?: string;
  /** As typed, in their order. */
  min?: string[];
  worst?: number;
  /** Counted from 1. */
  page?: number;
  /** Whether `status` lists files, and which. */
  files?: boolean;
  skipped?: boolean;
  failed?: boolean;
  write?: boolean;
  project?: string;
  name?: string;
  version?: boolean;
}

/** The name of a flag in {@linkcode Flags}. */
export type FlagName = keyof Flags;

/** One flag of the command line. */
export interface OptionSpec {
  /** As commander reads it. */
  readonly flags: string;
  /** As the help shows it, where commander cannot: its short forms have one letter only. */
  readonly shown?: string;
  readonly help: MessageKey;
  readonly choices?: readonly string[];
  /** Bounds of a whole number, both included. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly repeatable?: boolean;
}

/** Every flag. A flag means the same with each command that takes it. */
export const OPTIONS: Readonly<Record<FlagName, OptionSpec>> = {
  dir: { flags: "-d, --dir <dir>", help: "cli_help_dir", repeatable: true },
  config: { flags: "-c, --config <file>", help: "cli_help_config" },
  full: { flags: "--full", help: "cli_help_full" },
  clean: { flags: "--clean", shown: "-cl, --clean", help: "cli_help_clean" },
  backup: { flags: "-b, --backup", help: "cli_help_backup" },
  backupPath: {
    flags: "--backup-path <path>",
    shown: "-bp, --backup-path <path>",
    help: "cli_help_backup_path",
  },
  serve: { flags: "--serve", help: "cli_help_serve" },
  language: { flags: "--language <language>", help: "cli_help_language", choices: LANGUAGES },
  allowSensitive: { flags: "--allow-sensitive", help: "cli_help_allow_sensitive" },
  yes: { flags: "--yes", help: "cli_help_yes" },
  json: { flags: "--json", help: "cli_help_json" },
  quiet: { flags: "--quiet", help: "cli_help_quiet" },
  update: { flags: "--update", help: "cli_help_update" },
  noUpdate: { flags: "--no-update", help: "cli_help_no_update" },
  topK: { flags: "--top-k <n>", help: "cli_help_top_k", range: TOP_K },
  mode: { flags: "--mode <mode>", help: "cli_help_mode", choices: SEARCH_MODES },
  explain: { flags: "--explain", help: "cli_help_explain" },
  force: { flags: "--force", help: "cli_help_force" },
  compare: { flags: "--compare <list>", help: "cli_help_compare" },
  min: { flags: "--min <metric=value>", help: "cli_help_min", repeatable: true },
  worst: { flags: "--worst <n>", help: "cli_help_worst", range: { min: 0, max: 1000 } },
  page: { flags: "--page <n>", help: "cli_help_page", range: { min: 1, max: 1_000_000 } },
  files: { flags: "--files", help: "cli_help_files" },
  skipped: { flags: "--skipped", help: "cli_help_skipped" },
  failed: { flags: "--failed", help: "cli_help_failed" },
  write: { flags: "--write", help: "cli_help_write" },
  project: { flags: "--project <dir>", help: "cli_help_project" },
  name: { flags: "--name <name>", help: "cli_help_name" },
  version: { flags: "-v, --version", help: "cli_help_version" },
};

/** The two-letter short forms of the contract, and the long forms they stand for. */
export const TWO_LETTER_FORMS: Readonly<Record<string, string>> = {
  "-cl": "--clean",
  "-bp": "--backup-path",
};

/** The commands of the program. */
export type CommandName =
  | "index"
  | "search"
  | "serve"
  | "status"
  | "doctor"
  | "reembed"
  | "clean"
  | "backup"
  | "restore"
  | "eval"
  | "extract"
  | "setup"
  | "config check"
  | "config init"
  | "config encrypt"
  | "config decrypt"
  | "licenses"
  | "version";

/** One command of the command line. */
export interface CommandSpec {
  readonly help?: MessageKey;
  /** Its argument as commander reads it, that argument's description, and what to say where it must not be missing. */
  readonly argument?: { readonly name: string; readonly help: MessageKey; readonly missing?: MessageKey };
  /** The flags it takes; any other is refused. */
  readonly flags: readonly FlagName[];
}

const COMMON_FLAGS = ["config", "language", "quiet"] as const;

/** Every command. Those without `help` have no name of their own: they are chosen by flags alone. */
export const COMMANDS: Readonly<Record<CommandName, CommandSpec>> = {
  index: { flags: ["dir", "full", "json", "allowSensitive", ...COMMON_FLAGS] },
  search: {
    help: "cli_help_cmd_search",
    argument: { name: "<query...>", help: "cli_help_arg_query", missing: "cli_query_missing" },
    flags: ["dir", "topK", "mode", "explain", "noUpdate", "json", "allowSensitive", ...COMMON_FLAGS],
  },
  serve: {
    help: "cli_help_cmd_serve",
    argument: { name: "[dir...]", help: "cli_help_arg_dirs" },
    flags: ["serve", "dir", "update", "allowSensitive", ...COMMON_FLAGS],
  },
  status: {
    help: "cli_help_cmd_status",
    flags: ["dir", "files", "skipped", "failed", "json", "allowSensitive", ...COMMON_FLAGS],
  },
  doctor: { help: "cli_help_cmd_doctor", flags: ["dir", "json", "allowSensitive", ...COMMON_FLAGS] },
  reembed: { help: "cli_help_cmd_reembed", flags: ["dir", "json", "allowSensitive", ...COMMON_FLAGS] },
  clean: { help: "cli_help_cmd_clean", flags: ["clean", "dir", "yes", "allowSensitive", ...COMMON_FLAGS] },
  backup: {
    help: "cli_help_cmd_backup",
    flags: ["backup", "dir", "backupPath", "allowSensitive", ...COMMON_FLAGS],
  },
  restore: {
    help: "cli_help_cmd_restore",
    argument: { name: "<file>", help: "cli_help_arg_file", missing: "cli_backup_file_missing" },
    flags: ["dir", "yes", "allowSensitive", ...COMMON_FLAGS],
  },
  eval: {
    help: "cli_help_cmd_eval",
    argument: { name: "<data...>", help: "cli_help_arg_data", missing: "cli_eval_no_data" },
    flags: ["dir", "compare", "topK", "min", "worst", "json", "allowSensitive", ...COMMON_FLAGS],
  },
  extract: {
    help: "cli_help_cmd_extract",
    argument: { name: "<file...>", help: "cli_help_arg_files", missing: "cli_extract_no_file" },
    flags: ["page", "json", ...COMMON_FLAGS],
  },
  setup: {
    help: "cli_help_cmd_setup",
    argument: { name: "[client]", help: "cli_help_arg_client" },
    flags: [
      "dir",
      "update",
      "write",
      "project",
      "name",
      "force",
      "yes",
      "json",
      "allowSensitive",
      ...COMMON_FLAGS,
    ],
  },
  licenses: { help: "cli_help_cmd_licenses", flags: ["language"] },
  "config check": { help: "cli_help_cmd_config_check", flags: ["json", ...COMMON_FLAGS] },
  "config init": { help: "cli_help_cmd_config_init", flags: ["force", ...COMMON_FLAGS] },
  "config encrypt": {
    help: "cli_help_cmd_config_encrypt",
    // Variadic, or commander would repeat what is one too many, which may be the secret.
    argument: { name: "[key...]", help: "cli_help_arg_encrypt" },
    flags: COMMON_FLAGS,
  },
  "config decrypt": {
    help: "cli_help_cmd_config_decrypt",
    argument: { name: "<key>", help: "cli_help_arg_decrypt", missing: "cli_decrypt_missing" },
    flags: ["yes", ...COMMON_FLAGS],
  },
  version: { flags: ["version", "json", "language"] },
};

/** The flags that stand before a command or need none. */
export const ROOT_FLAGS: readonly FlagName[] = [
  "dir",
  "config",
  "full",
  "clean",
  "backup",
  "backupPath",
  "serve",
  "update",
  "yes",
  "json",
  "quiet",
  "allowSensitive",
  "language",
  "version",
];

/** The commands for which `--dir` may be given more than once, or not at all. */
export const MANY_DIRS: readonly CommandName[] = ["search", "serve", "status", "doctor", "setup"];

/** The command that takes one `--dir` and can do without. */
export const OPTIONAL_DIR: readonly CommandName[] = ["eval"];

/** The long form of a flag: `--top-k`. */
export function longForm(flag: FlagName): string {
  return /--[a-z-]+/.exec(OPTIONS[flag].flags)?.[0] ?? flag;
}
