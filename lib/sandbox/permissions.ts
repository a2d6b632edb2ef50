import { join } from "node:path";

/** The commands that work on folders: each runs in a worker that may do what the table below says, and nothing else. */
export type LockedCommand =
  | "index"
  | "reembed"
  | "search"
  | "serve"
  | "status"
  | "doctor"
  | "clean"
  | "backup"
  | "restore"
  | "eval"
  | "extract";

/** The others: they look after the program itself, the user's configuration and that of MCP clients. */
export type UnlockedCommand =
  | "setup"
  | "config check"
  | "config init"
  | "config encrypt"
  | "config decrypt"
  | "licenses"
  | "version"
  | "help";

/** The flags that a command's permissions hang on. */
export interface PermissionFlags {
  readonly update?: boolean;
  readonly noUpdate?: boolean;
}

/** A row of the table: a command, or what it is with a flag that lets it do more or less. */
export type Row = LockedCommand | "search --no-update" | "serve --update";

/** Places of a run. All paths are absolute, those of folders real. */
export interface RunPlaces {
  /** The folders that the command works on. */
  readonly roots: readonly string[];
  /** Where is noted which folders were processed. */
  readonly registry: string;
  /** Where the log files go, if anywhere. */
  readonly logDir: string | null;
  /** `host:port` of the embedding servers; none with the built-in table. */
  readonly servers: readonly string[];
  /** Paths that the command line names beside the folders: the file that a backup becomes, a backup, questions to evaluate. */
  readonly named: readonly string[];
  /** Where a folder for temporary files may be made. */
  readonly tempDir: string;
  /** The program's own files, which workers and the word table are loaded from. */
  readonly program: readonly string[];
}

/** The rights to one kind of place. */
interface Rule {
  /** `.muxue_rag` in each of the folders is written. */
  readonly index?: true;
  /** The list of processed folders is written. */
  readonly registry?: true;
  /** Log files are written. */
  readonly logs?: true;
  /** The embedding server is spoken to. */
  readonly net?: true;
  /** The path that the command line names is read, or written too. */
  readonly named?: "read" | "write";
  /** Temporary files are written. */
  readonly temporary?: true;
  /** Documents are read: the launcher may start the processes that do it. */
  readonly documents?: true;
}

/**
 * Rights of each command beside reading its folders, the list of processed folders and the program's own files. What may
 * be written may be read. No command may read the environment or what else the system tells, start programs, fetch code or
 * call native libraries. The embedding server is one only where the configuration names one. Code that is in a text, or for
 * an executable in a file, the runtime would load all the same: the program has no import that is computed
 * (scripts/lint/import_direction.ts).
 *
 * | command | reads, beside that | writes | net |
 * |---|---|---|---|
 * | index, reembed | – | `.muxue_rag`, list of folders, logs | embedding server |
 * | search | – | `.muxue_rag`, list of folders, logs | embedding server |
 * | search --no-update | – | logs | embedding server |
 * | serve | – | logs | embedding server |
 * | serve --update | – | `.muxue_rag`, list of folders, logs | embedding server |
 * | status | – | – | – |
 * | doctor | – | logs | embedding server |
 * | clean | – | `.muxue_rag`, list of folders, logs | – |
 * | backup | – | the new file, logs | – |
 * | restore | the file named | `.muxue_rag`, list of folders, logs | – |
 * | eval | the data named | `.muxue_rag`, list of folders, logs, temporary files | embedding server |
 * | extract | the files named | – | – |
 */
const RULES: Readonly<Record<Row, Rule>> = {
  index: { index: true, registry: true, logs: true, net: true, documents: true },
  reembed: { index: true, registry: true, logs: true, net: true, documents: true },
  search: { index: true, registry: true, logs: true, net: true, documents: true },
  "search --no-update": { logs: true, net: true },
  serve: { logs: true, net: true, documents: true },
  "serve --update": { index: true, registry: true, logs: true, net: true, documents: true },
  status: {},
  doctor: { logs: true, net: true },
  clean: { index: true, registry: true, logs: true },
  backup: { logs: true, named: "write" },
  restore: { index: true, registry: true, logs: true, named: "read" },
  eval: {
    index: true,
    registry: true,
    logs: true,
    net: true,
    named: "read",
    temporary: true,
    documents: true,
  },
  extract: { named: "read", documents: true },
};

/**
 * Rights that the commands without a worker keep: these kinds of permissions, for the whole machine, since the files of a user's
 * configuration and of his MCP clients lie anywhere. All read: at least the program's own files.
 */
const KEPT: Readonly<Record<UnlockedCommand, readonly ("read" | "write")[]>> = {
  setup: ["read", "write"],
  "config check": ["read"],
  "config init": ["read", "write"],
  "config encrypt": ["read", "write"],
  "config decrypt": ["read"],
  licenses: ["read"],
  version: ["read"],
  help: ["read"],
};

/** The permissions that a command keeps that is not locked. */
export function keptBy(command: UnlockedCommand): readonly ("read" | "write")[] {
  return KEPT[command];
}

/** Whether a command is one of the locked ones. */
export function isLockedCommand(command: string): command is LockedCommand {
  return Object.hasOwn(RULES, command);
}

/** Whether a command, with these flags, writes indexes that it makes itself, and so needs the key to seal them. */
export function maySeal(command: LockedCommand, flags: PermissionFlags): boolean {
  return command !== "clean" && command !== "restore" && (RULES[rowOf(command, flags)].index ?? false);
}

/** Whether a command may write log files. */
export function mayLog(command: LockedCommand): boolean {
  return RULES[command].logs ?? false;
}

/** Whether a command may have documents read by processes that the launcher starts. */
export function readsDocuments(command: LockedCommand, flags: PermissionFlags = {}): boolean {
  return RULES[rowOf(command, flags)].documents ?? false;
}

/** The permissions of the worker that runs a command with these flags. */
export function permissionsOf(
  command: LockedCommand,
  places: RunPlaces,
  flags: PermissionFlags = {},
): Deno.PermissionOptionsObject {
  const { index, registry, logs, net, named, temporary } = RULES[rowOf(command, flags)];
  const { roots, logDir, servers, tempDir, program } = places;
  const paths = named === undefined ? [] : places.named;
  const write = [
    ...(index ? roots.map((root) => join(root, ".muxue_rag")) : []),
    ...(registry ? [places.registry] : []),
    ...(logs && logDir !== null ? [logDir] : []),
    ...(named === "write" ? paths : []),
    ...(temporary ? [tempDir] : []),
  ];
  const read = [...roots, places.registry, ...program, ...paths, ...(temporary ? [tempDir] : []), ...write];
  return {
    read: [...new Set(read)],
    write: write.length > 0 ? [...new Set(write)] : false,
    net: net && servers.length > 0 ? [...servers] : false,
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

function rowOf(command: LockedCommand, { update = false, noUpdate = false }: PermissionFlags): Row {
  if (command === "serve" && update) return "serve --update";
  return command === "search" && noUpdate ? "search --no-update" : command;
}
