import type { Environment, OperatingSystem } from "../../../config/mod.ts";

/** A client that `setup` knows, as the command line names it. */
export type ClientId =
  | "claude-desktop"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "cline"
  | "zed"
  | "codex";

/** How a client starts the server: a program and its arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How a configuration file is written. `json` takes no comments, `jsonc` does. */
export type Format = "json" | "jsonc" | "toml";

/** A file in which a client looks for its servers, and what shows that the client is there. */
export interface Place {
  readonly path: string;
  /** Files and folders of the client's own; one is enough. */
  readonly signs: readonly string[];
}

/** What tells where a client keeps its files. */
export interface Machine {
  readonly os: OperatingSystem;
  readonly env: Environment;
  /** Names in `%LOCALAPPDATA%\Packages`, where Windows keeps the files of packaged programs. */
  readonly packages: readonly string[];
}

/** What `setup` knows of a client. */
export interface Client {
  readonly id: ClientId;
  /** The name people know it by. */
  readonly name: string;
  readonly format: Format;
  /** The key of the object or table that holds the servers. */
  readonly servers: string;
  /** Written before the command, where the client's format wants the transport named. */
  readonly type?: "stdio";
  /**
   * The user's files, the likeliest first; the first of which there is a sign is the one in use. Empty when the
   * environment does not tell.
   */
  readonly places: (machine: Machine) => readonly Place[];
  /** The file of a project, relative to the project's folder. */
  readonly project?: readonly string[];
  /** The client's own command for the same, up to the launched command; `env` as `--env NAME=VALUE` each. */
  readonly ownCommand?: (name: string, env: readonly string[]) => readonly string[];
}

/**
 * The entry of a server as a client's file wants it. Every client knows `env`, a table of texts, and adds it to the
 * environment that it leaves the server.
 */
export interface Entry {
  /** Where the transport is named. */
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Left out when empty. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What is to be set, and in which file. */
export interface Setting {
  /** For errors. */
  readonly path: string;
  readonly format: Format;
  /** The key that holds the servers. */
  readonly servers: string;
  /** The server's name. */
  readonly name: string;
  readonly entry: Entry;
}

/** What is to be changed in the texts of one format. */
export interface Editor {
  /** The content as plain values, `undefined` when there is none. Throws `cli_setup_invalid`. */
  parse(text: string, setting: Setting): unknown;
  /** The text with the entry. Everything else stays as it is. May give nonsense: the caller checks. */
  set(text: string, setting: Setting): string;
}
