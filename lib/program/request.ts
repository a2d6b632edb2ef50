/**
 * The input of a command from the launcher: the command line, the request as plain data, the session that carries it out. Only types,
 * so that no start loads them.
 */
import type { Config, FoundBy } from "#foundation/configuration/mod.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import type { ModelSource } from "#models/install/mod.ts";
import type { IndexDirs } from "#library/store/mod.ts";
import type { HttpPlan } from "./http_plan.ts";
import type { Flags } from "./options.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import type { Extractor } from "#library/extract/mod.ts";
import type { LanguageModels } from "./language_models.ts";
import type { Log } from "#foundation/log.ts";
import type { Traces } from "#traces/mod.ts";
import type { Context } from "./context.ts";

/** A command line that was read. */
export interface CommandLine {
  readonly command: string;
  readonly operands: readonly string[];
  readonly flags: Flags;
  /** Whether no folder was typed, and `flags.dir` has the working folder instead. */
  readonly isHere?: true;
}

/** Places that models are downloaded from. */
export interface Downloads {
  /** In the order in which they are tried. */
  readonly sources: readonly ModelSource[];
  /** `host:port` of the sources, and of those that they may redirect to; `*.` stands for subdomains. */
  readonly hosts: readonly string[];
}

/** How the folders of a command were chosen. */
export interface FolderChoice {
  /**
   * `name`: by `--dir`. `here`: the indexed folder that contains the working folder. `outside`: all folders, since no
   * indexed folder contains the working folder. `all`: all folders. `collections`: the collections of the configuration.
   */
  readonly by: "name" | "here" | "outside" | "all" | "collections";
  /** By the real path of a folder whose index is used: the paths inside it that were named, `/` between their parts. */
  readonly below: Readonly<Record<string, readonly string[]>>;
  /** By the real path of a folder without an index that the command line names: the indexed folder that contains it. */
  readonly within: Readonly<Record<string, string>>;
}

/**
 * Everything that a command on folders needs to know: the command line, the configuration, and what the launcher found out
 * with its permissions. It is plain data, since a locked worker gets it as a message.
 */
export interface Request extends CommandLine {
  readonly language: Language;
  /** The program's version. */
  readonly version: string;
  /** The configuration in effect, its secrets decrypted, the path of the log folder real. */
  readonly config: Config;
  /** The file that the configuration was read from; null when there was none. */
  readonly source: string | null;
  /** How that file was found; absent without one. */
  readonly by?: FoundBy | undefined;
  /** The configurations of `--compare`, by the names given there. */
  readonly compared: Readonly<Record<string, Config>>;
  /** Real path of the user's state folder: logs, and the list of indexed folders. */
  readonly stateDir: string;
  /** Real path of the folder of installed models; null if the environment does not tell it. */
  readonly modelsDir: string | null;
  /** Whether an embedding model is installed. */
  readonly hasModels: boolean;
  /** Whether this program contains models. Found out for commands that change the installed models. */
  readonly containsModels?: boolean;
  /** Places that models are downloaded from; `undefined` for a command that downloads nothing. */
  readonly downloads: Downloads | undefined;
  /** `host:port` of the proxy that the embedding server is reached by; `undefined` without one. */
  readonly proxy: string | undefined;
  /** Real paths of the folders. */
  readonly roots: readonly string[];
  /** How the folders were chosen. */
  readonly choice: FolderChoice;
  /** Real paths of the program's own files and folders. They are never indexed. */
  readonly ownPlaces: readonly string[];
  /** Full paths that the command line names beside the folders. */
  readonly named: readonly string[];
  /** Origins of the language models that texts of each folder may be sent to, by its real path. Empty without a model. */
  readonly consented: Readonly<Record<string, readonly string[]>>;
  /** Data folders of `roots` that are not `DIR/.muxue_rag`, as `--index-dir` or the list of indexed folders says. */
  readonly indexDirs: IndexDirs;
  /** The key that indexes are sealed and checked with. Only the launcher can read it from its file. */
  readonly indexKey: IndexKey;
  /** Where the server listens; `undefined` for all other commands, and for a server on stdin and stdout. */
  readonly http?: HttpPlan | undefined;
  /** The id of a client's first message, if the launcher has answered it. */
  readonly answered?: string | number | undefined;
  /** Permissions of the worker; `undefined` in the launcher's own thread. */
  readonly permissions: Deno.PermissionOptionsObject | undefined;
}

/** Input of a command on folders: the request, and the means to carry it out. */
export interface Session extends Request, Context {
  readonly log: Log;
  /** Reads documents. */
  readonly extractor: Extractor;
  /**
   * Opens the neural models that a configuration names, once. Default: the one in effect. Returns `undefined` where it names
   * none, and, with a warning, where they cannot be used.
   */
  readonly models: (config?: Config) => Promise<NeuralModels | undefined>;
  /** The language models; `undefined` where none is configured. Nothing of them is loaded before. */
  readonly languageModels: () => Promise<LanguageModels | undefined>;
  /** The recorder of traces; `undefined` with `observability.traces: off`. Nothing of it is loaded before. */
  readonly traces: () => Promise<Traces | undefined>;
}
