import type { Environment } from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";

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
] as const;

/** One of {@linkcode CLIENT_IDS}. */
export type ClientId = typeof CLIENT_IDS[number];

/** The command that starts the server: a program and its arguments. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Format of a client's configuration file: `jsonc` is JSON with comments. */
export type Format = "json" | "jsonc" | "toml";

/** A file in which a client looks for its servers. */
export interface ClientFile {
  readonly path: string;
  /** Files and folders that only the client makes: if one exists, the client is installed. */
  readonly signs: readonly string[];
}

/** Facts that decide where a client keeps its files. */
export interface Machine {
  readonly os: OperatingSystem;
  readonly env: Environment;
  /** Names in `%LOCALAPPDATA%\Packages`, where Windows keeps the files of packaged programs. */
  readonly packages: readonly string[];
}

/** An MCP client that `setup` knows. */
export interface Client {
  readonly id: ClientId;
  /** The name of the product. */
  readonly name: string;
  readonly format: Format;
  /** The key of the object or table that holds the servers. */
  readonly servers: string;
  /** The transport, where the client's format requires it. */
  readonly type?: "stdio";
  /**
   * The user's files, the likeliest first. The first file with a sign of the client is the one in use. Empty when the
   * environment names no home folder.
   */
  readonly files: (machine: Machine) => readonly ClientFile[];
  /** The file of a project, relative to the project's folder. */
  readonly project?: readonly string[];
  /** The client's own command that adds a server, up to the server's command; `env` holds `--env NAME=VALUE` pairs. */
  readonly ownCommand?: (name: string, env: readonly string[]) => readonly string[];
  /**
   * The entry for the address of a server; `undefined` if `tokenEnv` is given and the file cannot name a variable for the
   * token. Absent for a client whose file only takes commands.
   */
  readonly http?: (url: string, tokenEnv: string | undefined) => HttpEntry | undefined;
}

/**
 * The entry of a server in a client's file. Every client adds the variables of `env` to the environment that it gives the
 * server.
 */
export interface CommandEntry {
  /** The transport, where the client's format requires it. */
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Absent when empty. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry of a server that the client reaches over HTTP: its address under `url` or `serverUrl`, and what it is sent. */
export type HttpEntry = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** An entry of a client's file. */
export type ServerEntry = CommandEntry | HttpEntry;

/** An entry to be set in a client's file. */
export interface Setting {
  /** Path of the file, for errors. */
  readonly path: string;
  readonly format: Format;
  /** The key that holds the servers. */
  readonly servers: string;
  /** The server's name. */
  readonly name: string;
  readonly entry: ServerEntry;
}

/** Edits the texts of one format. */
export interface Editor {
  /** The content as plain values; `undefined` for an empty text. Throws `cli_setup_invalid`. */
  parse(text: string, setting: Setting): unknown;
  /** Returns the text with the entry and without other changes. The caller checks the result by parsing it. */
  set(text: string, setting: Setting): string;
}
