/**
 * The declaration of every command: name, help, flags, folders, permissions, and the code that it loads.
 * Parser, help, completions and the worker's permissions follow from this list.
 */
import { basename, dirname, resolve } from "node:path";
import type { Command } from "../command.ts";
import {
  baselineFile,
  CLIENT_FLAGS,
  CLIENT_IDS,
  COMMON_FLAGS,
  configurationFilesIn,
  type FlagName,
  HTTP_FLAGS,
  OPTIONS,
  SHELLS,
} from "../options.ts";
import { fileOnPath, realPlaceNamed } from "#foundation/boundary/mod.ts";
import { SECRET_KEYS } from "#foundation/configuration/mod.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";

/** Flags of every command on indexed folders. */
const FOLDER_FLAGS = ["indexDir", "allowSensitive", ...COMMON_FLAGS] as const;
/** Flags of every command that may use a language model. */
const MODEL_FLAGS = ["consent", ...FOLDER_FLAGS] as const;

/** Needs of a command that updates indexes, of one that also searches them, that searches them as they are, and of the server. */
const UPDATES = {
  ...{ index: true, store: true, registry: true, logs: true } as const,
  ...{ net: true, llm: true, documents: true } as const,
} as const;
const SEARCHES = { ...UPDATES, rerank: true } as const;
const AS_IT_IS = { store: true, logs: true, net: true, rerank: true, llm: true, indexKey: "read" } as const;
const SERVES = {
  ...{ store: true, logs: true, net: true, rerank: true, llm: true } as const,
  ...{ listen: true, pages: true, documents: true } as const,
} as const;
/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: "index",
    help: "cli_help_cmd_index",
    argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
    isHere: true,
    flags: ["dir", "full", "wait", "estimate", "json", "yes", ...MODEL_FLAGS],
    asksConsent: true,
    folders: "one",
    worker: { ...UPDATES, indexKey: "make" },
    load: async () => (await import("./index.ts")).index,
  },
  {
    name: "preview",
    help: "cli_help_cmd_preview",
    argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
    isHere: true,
    flags: ["dir", "json", "allowSensitive", ...COMMON_FLAGS],
    folders: "one",
    worker: { indexKey: "none" },
    load: async () => (await import("./preview.ts")).preview,
  },
  {
    name: "search",
    help: "cli_help_cmd_search",
    argument: { name: "<query...>", help: "cli_help_arg_query", missing: "cli_query_missing", kind: "query" },
    flags: [
      "dir",
      "all",
      "topK",
      "mode",
      "filter",
      "explain",
      "noUpdate",
      "fullText",
      "context",
      "format",
      "json",
      ...MODEL_FLAGS,
    ],
    folders: "here",
    worker: { ...SEARCHES, indexKey: "make" },
    workerWith: { noUpdate: AS_IT_IS },
    load: async () => (await import("./search/search.ts")).search,
  },
  {
    name: "ask",
    help: "cli_help_cmd_ask",
    argument: { name: "[question...]", help: "cli_help_arg_question", kind: "query" },
    flags: ["dir", "all", "topK", "mode", "filter", "earlier", "noUpdate", "json", ...MODEL_FLAGS],
    folders: "here",
    asksConsent: true,
    answers: true,
    worker: { ...SEARCHES, indexKey: "make" },
    workerWith: { noUpdate: AS_IT_IS },
    load: async () => (await import("./ask.ts")).askCommand,
  },
  {
    name: "check-answer",
    help: "cli_help_cmd_check_answer",
    argument: { name: "<answer>", help: "cli_help_arg_answer", missing: "cli_answer_missing" },
    flags: ["dir", "collection", "all", "question", "passages", "json", ...MODEL_FLAGS],
    folders: "here",
    worker: {
      store: true,
      logs: true,
      net: true,
      rerank: true,
      llm: true,
      documents: true,
      named: "read",
      indexKey: "read",
    },
    namedPaths: async (input) => (await import("./named_files.ts")).checkedFiles(input),
    load: async () => (await import("./check_answer.ts")).checkAnswerCommand,
  },
  {
    name: "why-not",
    help: "cli_help_cmd_why_not",
    argument: {
      name: "<question...>",
      help: "cli_help_arg_why_not",
      missing: "cli_why_not_missing",
      kind: "query",
    },
    flags: ["dir", "all", "text", "chunk", "topK", "mode", "filter", "json", ...MODEL_FLAGS],
    folders: "here",
    worker: AS_IT_IS,
    namedPaths: async (input) => (await import("./named_files.ts")).expectedFile(input),
    load: async () => (await import("./why_not.ts")).whyNotCommand,
  },
  {
    name: "serve",
    help: "cli_help_cmd_serve",
    argument: { name: "[dir...]", help: "cli_help_arg_dirs", kind: "folders" },
    flags: [
      ...["serve", "dir", "update", "noWatch", "consent", "indexDir", "allowSensitive"] as const,
      ...["http", "ui", ...HTTP_FLAGS, ...COMMON_FLAGS] as const,
    ],
    chosenBy: "serve",
    folders: "all",
    startedByClient: true,
    setFlags: ({ index }, flags) => index.watch || flags.update ? flags : { ...flags, noWatch: true },
    // The server should trust indexes that are made while it runs, so their key is made before. Without a place for the key it
    // serves what it can read.
    worker: { ...UPDATES, ...SERVES, uploads: true, tokens: "use", indexKey: "make if possible" },
    workerWith: { noWatch: { ...SERVES, tokens: "use", indexKey: "make if possible" } },
    load: async () => (await import("./serve/serve.ts")).serve,
  },
  {
    name: "ui",
    help: "cli_help_cmd_ui",
    argument: { name: "[dir...]", help: "cli_help_arg_dirs", kind: "folders" },
    flags: ["dir", "port", "noOpen", "noWatch", ...MODEL_FLAGS],
    folders: "here",
    // Like a server over HTTP on any free port of this machine.
    setFlags: ({ index }, flags) => ({
      ...{ ...flags, http: true, ui: true, port: flags.port ?? 0 },
      ...(!index.watch && { noWatch: true }),
    }),
    worker: { ...UPDATES, ...SERVES, shows: true, uploads: true, indexKey: "make if possible" },
    workerWith: { noWatch: { ...SERVES, shows: true, indexKey: "make if possible" } },
    load: async () => (await import("./ui.ts")).ui,
  },
  {
    name: "status",
    help: "cli_help_cmd_status",
    flags: ["dir", "all", "files", "skipped", "failed", "facets", "json", ...FOLDER_FLAGS],
    folders: "here",
    worker: { store: true, localModels: true, llm: "prompts", indexKey: "read" },
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "verify",
    help: "cli_help_cmd_verify",
    flags: ["dir", "deep", "json", ...FOLDER_FLAGS],
    folders: "all",
    worker: { store: true, indexKey: "read" },
    load: async () => (await import("./verify.ts")).verify,
  },
  {
    name: "doctor",
    help: "cli_help_cmd_doctor",
    flags: ["dir", "json", ...MODEL_FLAGS],
    folders: "all",
    worker: AS_IT_IS,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "reembed",
    help: "cli_help_cmd_reembed",
    flags: ["dir", "json", "yes", ...MODEL_FLAGS],
    asksConsent: true,
    folders: "one",
    worker: { ...UPDATES, indexKey: "make" },
    load: async () => (await import("./index.ts")).reembed,
  },
  {
    name: "clean",
    help: "cli_help_cmd_clean",
    flags: ["clean", "dir", "yes", ...FOLDER_FLAGS],
    chosenBy: "clean",
    folders: "one",
    // It opens no index: a key that cannot be read must not stop it.
    worker: { index: true, store: true, registry: true, logs: true, indexKey: "none" },
    load: async () => (await import("./backup.ts")).clean,
  },
  {
    name: "backup",
    help: "cli_help_cmd_backup",
    flags: ["backup", "dir", "backupPath", "yes", ...FOLDER_FLAGS],
    chosenBy: "backup",
    folders: "one",
    worker: { store: true, logs: true, named: "write", indexKey: "read" },
    namedPaths: async (input) => (await import("./backup_file.ts")).backupPaths(input),
    load: async () => (await import("./backup.ts")).backup,
  },
  {
    name: "restore",
    help: "cli_help_cmd_restore",
    argument: { name: "<file>", help: "cli_help_arg_file", missing: "cli_backup_file_missing" },
    flags: ["dir", "yes", "force", ...FOLDER_FLAGS],
    folders: "one",
    worker: { index: true, store: true, registry: true, logs: true, named: "read", indexKey: "read" },
    namedPaths: ({ operands, cwd }) =>
      Promise.all(operands.map((path) => realPlaceNamed(resolve(cwd, path)))),
    load: async () => (await import("./backup.ts")).restore,
  },
  {
    name: "export",
    help: "cli_help_cmd_export",
    argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
    flags: ["dir", "to", "yes", ...FOLDER_FLAGS],
    folders: "one",
    worker: { store: true, logs: true, localModels: true, named: "write", indexKey: "read" },
    namedPaths: async (input) => (await import("./backup_file.ts")).exportPaths(input),
    load: async () => (await import("./transfer.ts")).exportTo,
  },
  {
    name: "import",
    help: "cli_help_cmd_import",
    argument: { name: "<file>", help: "cli_help_arg_import", missing: "cli_import_file_missing" },
    flags: ["dir", "yes", "force", ...FOLDER_FLAGS],
    folders: "one",
    worker: {
      ...{ index: true, store: true, registry: true, logs: true } as const,
      ...{ named: "read", temporary: true, indexKey: "make" } as const,
    },
    namedPaths: ({ operands, cwd }) =>
      Promise.all(operands.filter((path) => path !== "-").map((path) => realPlaceNamed(resolve(cwd, path)))),
    load: async () => (await import("./transfer.ts")).importFrom,
  },
  {
    name: "eval",
    help: "cli_help_cmd_eval",
    argument: { name: "<data...>", help: "cli_help_arg_data", missing: "cli_eval_no_data" },
    flags: ["dir", "compare", "topK", "min", "evaluator", "baseline", "worst", "json", ...MODEL_FLAGS],
    folders: "one or none",
    worker: { ...SEARCHES, named: "read", temporary: true, indexKey: "make" },
    comparedFiles: ({ compare }) => compare === undefined ? [] : configurationFilesIn(compare),
    namedPaths: ({ operands, flags, cwd }) => {
      const file = baselineFile(flags.baseline);
      const paths = [...operands, ...(file === undefined ? [] : [file])];
      return Promise.resolve(paths.map((path) => resolve(cwd, path)));
    },
    load: async () => (await import("./eval.ts")).evaluation,
  },
  {
    name: "eval draft",
    help: "cli_help_cmd_eval_draft",
    argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
    isHere: true,
    flags: ["dir", ...MODEL_FLAGS],
    folders: "one",
    worker: { ...UPDATES, indexKey: "make" },
    load: async () => (await import("./eval_draft.ts")).draft,
  },
  {
    name: "eval history",
    help: "cli_help_cmd_eval_history",
    argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
    isHere: true,
    flags: ["dir", "json", ...FOLDER_FLAGS],
    folders: "one",
    worker: { store: true, indexKey: "none" },
    load: async () => (await import("./eval_runs.ts")).history,
  },
  {
    name: "trace list",
    help: "cli_help_cmd_trace_list",
    flags: ["kind", "limit", "failed", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { logs: "read", indexKey: "none" },
    load: async () => (await import("./trace.ts")).traceList,
  },
  {
    name: "trace show",
    help: "cli_help_cmd_trace_show",
    argument: { name: "[id]", help: "cli_help_arg_trace" },
    flags: ["json", ...COMMON_FLAGS],
    folders: "none",
    worker: { logs: "read", indexKey: "none" },
    load: async () => (await import("./trace.ts")).traceShow,
  },
  {
    name: "token add",
    help: "cli_help_cmd_token_add",
    argument: { name: "<name>", help: "cli_help_arg_token_name", missing: "cli_token_name_missing" },
    flags: ["collection", "accessLevel", "expires", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { tokens: "write", store: true, indexKey: "none" },
    // Those of --collection. They are only named: the worker does not read them.
    namedPaths: async (input) => (await import("./named_files.ts")).collectionPaths(input),
    load: async () => (await import("./token.ts")).tokenAdd,
  },
  {
    name: "token list",
    help: "cli_help_cmd_token_list",
    flags: ["json", ...COMMON_FLAGS],
    folders: "none",
    worker: { tokens: "read", store: true, indexKey: "none" },
    load: async () => (await import("./token.ts")).tokenList,
  },
  {
    name: "token revoke",
    help: "cli_help_cmd_token_revoke",
    argument: { name: "<name>", help: "cli_help_arg_token_name", missing: "cli_token_name_missing" },
    flags: ["json", ...COMMON_FLAGS],
    folders: "none",
    worker: { tokens: "write", store: true, indexKey: "none" },
    load: async () => (await import("./token.ts")).tokenRevoke,
  },
  {
    name: "extract",
    help: "cli_help_cmd_extract",
    argument: { name: "<file...>", help: "cli_help_arg_files", missing: "cli_extract_no_file" },
    flags: ["page", "json", ...COMMON_FLAGS],
    folders: "none",
    // It opens no index: a key that cannot be read must not stop it.
    worker: { named: "read", documents: true, indexKey: "none" },
    namedPaths: ({ operands, cwd }) => Promise.all(operands.map((path) => fileOnPath(resolve(cwd, path)))),
    load: async () => (await import("./extract.ts")).extract,
  },
  {
    name: "setup",
    help: "cli_help_cmd_setup",
    argument: { name: "[client]", help: "cli_help_arg_client", choices: CLIENT_IDS },
    flags: [...CLIENT_FLAGS, "dryRun", "remove", "json", "allowSensitive", ...COMMON_FLAGS],
    folders: "any",
    keeps: ["read", "write", "run"],
    load: async () => (await import("./setup/setup.ts")).setup,
  },
  {
    name: "update",
    help: "cli_help_cmd_update",
    flags: ["check", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { releasePage: true, indexKey: "none" },
    load: async () => (await import("./update.ts")).update,
  },
  {
    name: "uninstall",
    help: "cli_help_cmd_uninstall",
    flags: ["yes", "json", "config", "language", "quiet"],
    keeps: ["read", "write"],
    language: "configured",
    load: async () => (await import("./uninstall.ts")).uninstall,
  },
  {
    name: "completions",
    help: "cli_help_cmd_completions",
    argument: {
      name: "<shell>",
      help: "cli_help_arg_shell",
      missing: "cli_completions_missing",
      choices: SHELLS,
    },
    flags: ["language"],
    keeps: ["read"],
    language: "configured",
    load: async () => (await import("./completions.ts")).completions,
  },
  {
    name: "licenses",
    help: "cli_help_cmd_licenses",
    flags: ["language"],
    keeps: ["read"],
    language: "configured",
    load: async () => (await import("./about.ts")).licenses,
  },
  {
    name: "model install",
    help: "cli_help_cmd_model_install",
    argument: { name: "[name...]", help: "cli_help_arg_models", choices: ["zh", "en", "ocr", "all"] },
    flags: ["from", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { models: "write", downloads: true, indexKey: "none" },
    // Without the network.
    workerWith: { from: { models: "write", named: "read", indexKey: "none" } },
    namedPaths: async ({ flags: { from }, cwd }) => {
      if (from === undefined) return [];
      const path = resolve(cwd, from);
      // Permissions are given for real paths. The tokenizer of an ONNX file lies beside it, or beside its folder `onnx`.
      const real = await realPlaceNamed(path);
      if (!/\.onnx$/i.test(real)) return [real];
      const beside = dirname(real);
      return [real, basename(beside) === "onnx" ? dirname(beside) : beside];
    },
    load: async () => (await import("./model.ts")).modelInstall,
  },
  {
    name: "model list",
    help: "cli_help_cmd_model_list",
    flags: ["verify", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { models: "read", indexKey: "none" },
    load: async () => (await import("./model.ts")).modelList,
  },
  {
    name: "model remove",
    help: "cli_help_cmd_model_remove",
    argument: {
      name: "<name...>",
      help: "cli_help_arg_models",
      choices: ["zh", "en", "ocr", "all"],
      missing: "cli_model_name_missing",
    },
    flags: ["yes", "json", ...COMMON_FLAGS],
    folders: "none",
    worker: { models: "write", indexKey: "none" },
    load: async () => (await import("./model.ts")).modelRemove,
  },
  {
    name: "config check",
    help: "cli_help_cmd_config_check",
    flags: ["json", ...COMMON_FLAGS],
    keeps: ["read"],
    language: "asked",
    load: async () => (await import("./config.ts")).configCheck,
  },
  {
    name: "config init",
    help: "cli_help_cmd_config_init",
    flags: ["force", ...COMMON_FLAGS],
    keeps: ["read", "write"],
    language: "asked",
    load: async () => (await import("./config.ts")).configInit,
  },
  {
    name: "config encrypt",
    help: "cli_help_cmd_config_encrypt",
    // It is variadic, so that commander does not repeat a surplus argument, which may be the secret.
    argument: { name: "[key...]", help: "cli_help_arg_encrypt", choices: SECRET_KEYS },
    flags: COMMON_FLAGS,
    keeps: ["read", "write"],
    language: "configured",
    load: async () => (await import("./config.ts")).configEncrypt,
  },
  {
    name: "config decrypt",
    help: "cli_help_cmd_config_decrypt",
    argument: {
      name: "<key>",
      help: "cli_help_arg_decrypt",
      choices: SECRET_KEYS,
      missing: "cli_decrypt_missing",
    },
    flags: ["yes", ...COMMON_FLAGS],
    keeps: ["read"],
    language: "configured",
    load: async () => (await import("./config.ts")).configDecrypt,
  },
  {
    name: "version",
    flags: ["version", "json", "language"],
    chosenBy: "version",
    keeps: ["read"],
    language: "asked",
    load: async () => (await import("./about.ts")).version,
  },
];

/** A word that begins the names of several commands: `config check`, `config init`. */
export interface CommandGroup {
  readonly name: "config" | "model" | "token" | "trace";
  readonly help: MessageKey;
}

/** Every group of commands, in the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  { name: "trace", help: "cli_help_cmd_trace" },
  { name: "token", help: "cli_help_cmd_token" },
  { name: "model", help: "cli_help_cmd_model" },
  { name: "config", help: "cli_help_cmd_config" },
];

/** The group that a command belongs to; `undefined` for a command of one word. */
export function groupOf({ name }: Pick<Command, "name">): CommandGroup | undefined {
  return GROUPS.find((group) => name.startsWith(`${group.name} `));
}

/** The commands of a group. */
export function commandsIn(group: CommandGroup): Command[] {
  return COMMANDS.filter((command) => groupOf(command) === group);
}

/** The command whose name the first word of a command's name is: `eval` of `eval draft`. */
export function commandAbove({ name }: Pick<Command, "name">): Command | undefined {
  const end = name.indexOf(" ");
  return end < 0 ? undefined : findCommand(name.slice(0, end));
}

/** The last word of a command's name. */
export function lastWord({ name }: Pick<Command, "name">): string {
  return name.slice(name.indexOf(" ") + 1);
}

/** The command that runs where neither a word nor a flag chooses another: it indexes a folder. */
export const DEFAULT_COMMAND: Command = COMMANDS[0]!;

/** The flags that may stand before a command or without one: those of the commands that flags choose. */
export const ROOT_FLAGS: readonly FlagName[] = (Object.keys(OPTIONS) as FlagName[]).filter((flag) =>
  COMMANDS.some((command) =>
    (command === DEFAULT_COMMAND || command.chosenBy !== undefined) && command.flags.includes(flag)
  )
);

/** The command with this name; `undefined` without one. */
export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** The command with this name. Throws `TypeError` without one. */
export function commandNamed(name: string): Command {
  const command = findCommand(name);
  if (command === undefined) throw new TypeError(`${name} is not a command`);
  return command;
}
