import { posix, win32 } from "node:path";

/** Environment variables by name; `undefined` and the empty text count as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An operating system by its name in `Deno.build.os`. All except `windows` and `darwin` follow the XDG rules. */
export type OperatingSystem = typeof Deno.build.os;

const NAME = "muxue_rag";

/** The environment variable that names the user's home folder. */
export function homeVariable(os: OperatingSystem): "USERPROFILE" | "HOME" {
  return os === "windows" ? "USERPROFILE" : "HOME";
}

/** The user's home folder; `undefined` unless its variable holds a full path. */
export function homeFolder(env: Environment, os: OperatingSystem): string | undefined {
  return fullPathIn(env, homeVariable(os), os);
}

/** The value of an environment variable that names a folder; `undefined` unless it is a full path. */
export function fullPathIn(env: Environment, name: string, os: OperatingSystem): string | undefined {
  const value = env[name];
  return value && (os === "windows" ? win32 : posix).isAbsolute(value) ? value : undefined;
}

/**
 * The user's configuration folder, or null if the environment does not tell it (no home folder).
 * `MUXUE_RAG_CONFIG_DIR` overrides it. Otherwise Linux: `$XDG_CONFIG_HOME/muxue_rag` or `~/.config/muxue_rag`; macOS:
 * `~/Library/Application Support/muxue_rag`; Windows: `%APPDATA%\muxue_rag`.
 */
export function configDir(env: Environment, os: OperatingSystem): string | null {
  return userDir(env, os, {
    override: "MUXUE_RAG_CONFIG_DIR",
    xdg: "XDG_CONFIG_HOME",
    home: [".config"],
    darwin: [NAME],
    windows: "APPDATA",
    windowsHome: ["AppData", "Roaming"],
  });
}

/**
 * The user's state folder (logs, list of folders), or null if the environment does not tell it.
 * `MUXUE_RAG_STATE_DIR` overrides it. Otherwise Linux: `$XDG_STATE_HOME/muxue_rag` or `~/.local/state/muxue_rag`; macOS:
 * `~/Library/Application Support/muxue_rag/state`; Windows: `%LOCALAPPDATA%\muxue_rag`.
 */
export function stateDir(env: Environment, os: OperatingSystem): string | null {
  return userDir(env, os, {
    override: "MUXUE_RAG_STATE_DIR",
    xdg: "XDG_STATE_HOME",
    home: [".local", "state"],
    darwin: [NAME, "state"],
    windows: "LOCALAPPDATA",
    windowsHome: ["AppData", "Local"],
  });
}

/**
 * The user's folder of installed models, or null if the environment does not tell it. `MUXUE_RAG_MODELS_DIR` overrides it.
 * Otherwise Linux: `$XDG_DATA_HOME/muxue_rag/models` or `~/.local/share/muxue_rag/models`; macOS:
 * `~/Library/Application Support/muxue_rag/models`; Windows: `%LOCALAPPDATA%\muxue_rag\models`.
 */
export function modelsDir(env: Environment, os: OperatingSystem): string | null {
  const name = "MUXUE_RAG_MODELS_DIR";
  const base = userDir(env, os, {
    override: name,
    xdg: "XDG_DATA_HOME",
    home: [".local", "share"],
    darwin: [NAME],
    windows: "LOCALAPPDATA",
    windowsHome: ["AppData", "Local"],
  });
  return base === null || env[name] ? base : (os === "windows" ? win32 : posix).join(base, "models");
}

interface FolderRules {
  readonly override: string;
  readonly xdg: string;
  readonly home: readonly string[];
  readonly darwin: readonly string[];
  readonly windows: string;
  readonly windowsHome: readonly string[];
}

function userDir(env: Environment, os: OperatingSystem, rules: FolderRules): string | null {
  const path = os === "windows" ? win32 : posix;
  const override = env[rules.override];
  if (override) return path.resolve(override);
  // The XDG specification asks to ignore relative paths. The same is done for the other variables.
  const folder = (name: string) => fullPathIn(env, name, os);
  const home = homeFolder(env, os);
  if (os === "windows") {
    const base = folder(rules.windows);
    if (base !== undefined) return path.join(base, NAME);
    return home === undefined ? null : path.join(home, ...rules.windowsHome, NAME);
  }
  if (os === "darwin") {
    return home === undefined ? null : path.join(home, "Library", "Application Support", ...rules.darwin);
  }
  const base = folder(rules.xdg) ?? (home === undefined ? undefined : path.join(home, ...rules.home));
  return base === undefined ? null : path.join(base, NAME);
}

/** The folder with the list of indexed folders, in the user's state folder. */
export function registryDir(stateDir: string): string {
  return (Deno.build.os === "windows" ? win32 : posix).join(stateDir, "folders");
}
