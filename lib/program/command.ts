/**
 * The interface that every command of the command line implements.
 *
 * `README.md` has the steps to add one.
 * @module
 */
import type { Config } from "#foundation/configuration/mod.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import type { PermissionNeeds } from "#foundation/boundary/mod.ts";
import type { Context } from "./context.ts";
import { type FlagName, type Flags, OPTIONS } from "./options.ts";
import type { Session } from "./request.ts";

/**
 * One command. Parser, help, usage errors, folders and permissions are derived from its declaration, which is loaded at every
 * start, so it imports nothing heavy; `load` imports the code that runs the command.
 */
export type Command = FolderCommand | PlainCommand;

/** Properties of every command, for the parser and the help. */
interface CommandBase {
  /** Name as it is typed: `search`, `config check`. */
  readonly name: string;
  /** Its description in the help. A command without one cannot be typed: flags choose it. */
  readonly help?: MessageKey;
  readonly argument?: CommandArgument;
  /** The flags it takes, in the order of its help. All others are refused. */
  readonly flags: readonly FlagName[];
  /** Typed without a folder, it works on the collections of the configuration, else on the working folder. */
  readonly isHere?: true;
  /** The flag that chooses the command if no command is typed, such as `--serve`. */
  readonly chosenBy?: FlagName;
}

/** The argument of a command. */
interface CommandArgument {
  /** Name in commander's syntax: `<file...>`, `[client]`. */
  readonly name: string;
  readonly help: MessageKey;
  /** Its possible values, for completions. */
  readonly choices?: readonly string[];
  /** The error for a missing or blank argument. Without this property, the argument is optional. */
  readonly missing?: MessageKey;
  /** `folders`: more values of `--dir`. `query`: words such as `-draft` belong to it and are not options. */
  readonly kind?: "folders" | "query";
}

/**
 * Folders that a command works on. `one`: exactly one `--dir`. `one or none`: at most one. `any`: zero or more. `all`: zero
 * or more; without `--dir`, the collections of the configuration, or all folders that were indexed on this machine if there
 * are none. `here`: zero or more; without `--dir` the indexed folder that contains the working folder, and outside of them
 * the same as `all`. `none`: the command has no `--dir`. A `--dir` is a path or the name of a collection.
 */
export type Folders = "one" | "one or none" | "any" | "all" | "here" | "none";

/** A command that needs the configuration and mostly works on folders. It runs with a {@linkcode Session}. */
export type FolderCommand =
  & CommandBase
  & (WorkerPermissions | ThreadPermissions)
  & {
    readonly folders: Folders;
    /**
     * An MCP client starts the command, in a folder of its choice. So it takes no configuration from the working folder,
     * goes on where one of several folders cannot be used, and ends when stdin ends, also while the worker is stuck.
     */
    readonly startedByClient?: true;
    /** Consent to send texts to a language model is asked for on a terminal. */
    readonly asksConsent?: true;
    /** It uses a language model without a task in the configuration. */
    readonly answers?: true;
    /** The flags in effect: those of the command line, and those that a setting stands for. */
    readonly setFlags?: (config: Config, flags: Flags) => Flags;
    /** Configuration files that the flags name beside `--config`. */
    readonly comparedFiles?: (flags: Flags) => readonly string[];
    /** Full paths that the command line names beside folders. `PermissionNeeds.named` says what may be done with them. */
    readonly namedPaths?: (input: NamedPathsInput) => Promise<readonly string[]>;
    /** Imports the command's code. The returned function does the work and gives the exit code. */
    readonly load: () => Promise<(session: Session) => Promise<number>>;
  };

/** Input of {@linkcode FolderCommand.namedPaths}. */
export interface NamedPathsInput {
  readonly operands: readonly string[];
  readonly flags: Flags;
  /** Real paths of the folders. */
  readonly roots: readonly string[];
  /** Full path that relative paths start from. */
  readonly cwd: string;
}

/** A command that works on no folder and needs no valid configuration. It runs with a {@linkcode Context}. */
export type PlainCommand = CommandBase & ThreadPermissions & {
  readonly folders?: undefined;
  /** `asked`: by the command line or environment. `configured`: else by the configuration, even a wrong one. */
  readonly language: "asked" | "configured";
  /** Imports the command's code. The returned function does the work and gives the exit code. */
  readonly load: () => Promise<(context: Context, all: Declared) => Promise<number>>;
};

/** Every command and flag of the program, for a command that is about them. */
export interface Declared {
  readonly commands: readonly Command[];
  /** The words that begin the names of several commands, with their help. */
  readonly groups: readonly { readonly name: string; readonly help: MessageKey }[];
  /** The flags that may stand without a command. */
  readonly rootFlags: readonly FlagName[];
}

/** Permissions of a command that runs in a locked worker. */
interface WorkerPermissions {
  readonly worker: WorkerNeeds;
  /** Needs with one of these flags, in place of `worker`. */
  readonly workerWith?: Readonly<Partial<Record<FlagName, WorkerNeeds>>>;
  readonly keeps?: undefined;
}

/** Needs of a command that runs in a locked worker. */
export interface WorkerNeeds extends PermissionNeeds {
  /** The launcher opens the browser and the file manager for the user. */
  readonly shows?: true;
  /** Documents are read: the launcher may start the processes that do it. */
  readonly documents?: true;
  /**
   * The key that seals and checks indexes. `none`: the worker gets a random key. `read`: the key of this installation, if
   * it exists. `make`: the key is created if it is missing. `make if possible`: like `make`, but a failure to write it is
   * not an error.
   */
  readonly indexKey: "none" | "read" | "make" | "make if possible";
}

/**
 * Permissions of a command that runs in the launcher's own thread, since the files of a user's configuration and of MCP
 * clients may lie anywhere, and `setup` starts the server that a client's file names. The thread keeps these kinds of permission for the whole machine and gives up the rest. Every
 * command reads at least the program's own files.
 */
interface ThreadPermissions {
  readonly keeps: readonly ("read" | "write" | "run")[];
  readonly worker?: undefined;
}

/** Needs of the worker that runs a command with these flags; `undefined` where it runs in the launcher's thread. */
export function needsOf(command: Command, flags: Partial<Flags>): WorkerNeeds | undefined {
  if (command.worker === undefined) return undefined;
  for (const [flag, needs] of Object.entries(command.workerWith ?? {})) {
    if (flags[flag as FlagName]) return needs;
  }
  return command.worker;
}

/** The help of a flag with a command; `undefined` stands for the program itself. */
export function helpOfFlag(flag: FlagName, command: Command | undefined): MessageKey {
  const { help, helpWith = {} } = OPTIONS[flag];
  if (flag === "dir") return helpOfDir(command);
  return helpWith[command?.name ?? ""] ?? help;
}

/** The help of `--dir`, which says the default of a command that takes several folders. */
function helpOfDir(command: Command | undefined): MessageKey {
  switch (command?.folders) {
    case "any":
    case "all":
      return "cli_help_dirs";
    case "here":
      return "cli_help_dirs_here";
    default:
      return "cli_help_dir";
  }
}
