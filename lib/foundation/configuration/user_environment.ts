/**
 * The user's machine, as the environment describes it: folders, language, names of variables, and which hosts are this machine.
 */
import { posix, win32 } from "node:path";
import type { Language } from "#foundation/messages/mod.ts";
import { type OperatingSystem, OS } from "#foundation/runtime.ts";

/** Environment variables by name; `undefined` and the empty text count as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FOLDER_NAME = "muxue_rag";

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
  return userDir(env, os, "CONFIG_DIR", { xdg: "XDG_CONFIG_HOME", home: ".config", windows: "APPDATA" });
}

/**
 * The user's state folder (logs, list of folders), or null if the environment does not tell it.
 * `MUXUE_RAG_STATE_DIR` overrides it. Otherwise Linux: `$XDG_STATE_HOME/muxue_rag` or `~/.local/state/muxue_rag`; macOS:
 * `~/Library/Application Support/muxue_rag/state`; Windows: `%LOCALAPPDATA%\muxue_rag`.
 */
export function stateDir(env: Environment, os: OperatingSystem): string | null {
  const rules = {
    xdg: "XDG_STATE_HOME",
    home: ".local/state",
    darwin: "state",
    windows: "LOCALAPPDATA",
  } as const;
  return userDir(env, os, "STATE_DIR", rules);
}

/**
 * The user's folder of installed models, or null if the environment does not tell it. `MUXUE_RAG_MODELS_DIR` overrides it.
 * Otherwise Linux: `$XDG_DATA_HOME/muxue_rag/models` or `~/.local/share/muxue_rag/models`; macOS:
 * `~/Library/Application Support/muxue_rag/models`; Windows: `%LOCALAPPDATA%\muxue_rag\models`.
 */
export function modelsDir(env: Environment, os: OperatingSystem): string | null {
  const rules = { xdg: "XDG_DATA_HOME", home: ".local/share", windows: "LOCALAPPDATA" } as const;
  const base = userDir(env, os, "MODELS_DIR", rules);
  if (base === null || env[`${PREFIX}MODELS_DIR`]) return base;
  return (os === "windows" ? win32 : posix).join(base, "models");
}

/** The folders below the home folder that two variables of Windows name. */
const WINDOWS = { APPDATA: "AppData\\Roaming", LOCALAPPDATA: "AppData\\Local" } as const;

/** Where a folder of the user lies. */
interface FolderRules {
  /** The variable of the XDG specification, and its default below the home folder. */
  readonly xdg: string;
  readonly home: string;
  /** Below the program's folder in `Application Support`. */
  readonly darwin?: string;
  readonly windows: keyof typeof WINDOWS;
}

/** `override`: name of the program's variable for this folder, without its prefix. */
function userDir(
  env: Environment,
  os: OperatingSystem,
  override: string,
  { xdg, home: below, darwin = "", windows }: FolderRules,
): string | null {
  const path = os === "windows" ? win32 : posix;
  const named = env[PREFIX + override];
  if (named) return path.resolve(named);
  const home = homeFolder(env, os);
  const inHome = (...names: string[]) => home === undefined ? null : path.join(home, ...names);
  if (os === "darwin") return inHome("Library", "Application Support", FOLDER_NAME, darwin);
  // The XDG specification asks to ignore relative paths. The same is done for the other variables.
  const base = fullPathIn(env, os === "windows" ? windows : xdg, os);
  if (base !== undefined) return path.join(base, FOLDER_NAME);
  return inHome(os === "windows" ? WINDOWS[windows] : below, FOLDER_NAME);
}

/** The folder with the list of indexed folders, in the user's state folder. */
export function registryDir(stateDir: string): string {
  return (OS === "windows" ? win32 : posix).join(stateDir, "folders");
}

/** The folder of the tokens that language models used on each day, in the user's state folder. */
export function usageDir(stateDir: string): string {
  return (OS === "windows" ? win32 : posix).join(stateDir, "usage");
}

/** The folder of the tokens of people, in the user's state folder. */
export function tokensDir(stateDir: string): string {
  return (OS === "windows" ? win32 : posix).join(stateDir, "tokens");
}

/** The folder with the times at which tokens were used, in the user's state folder. It is the only one of the two that a server writes. */
export function tokensUsedDir(stateDir: string): string {
  return (OS === "windows" ? win32 : posix).join(stateDir, "tokens_used");
}

/** The variables that POSIX names for messages, the strongest first. */
const VARIABLES = ["LC_ALL", "LC_MESSAGES", "LANG"];

/**
 * Returns `zh` if the system's language is Chinese, in any script or region, else `en`. It is read from `LC_ALL`,
 * `LC_MESSAGES` or `LANG` (POSIX, "Environment variables", 8.2). On Windows and macOS, programs are often started without
 * these variables. Then the system's setting counts.
 *
 * @param locale the system's setting as a tag of BCP 47. It is asked for only where it counts.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(systemLanguage({ LANG: "zh_TW.UTF-8" }, "linux"), "zh");
 * equal(systemLanguage({ LC_ALL: "C.UTF-8", LANG: "zh_CN" }, "linux"), "en");
 * equal(systemLanguage({}, "windows", () => "zh-Hans-CN"), "zh");
 * ```
 */
export function systemLanguage(
  env: Environment,
  os: OperatingSystem,
  locale: () => string = () => navigator.language,
): Language {
  const named = VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  const asks = named === undefined && (os === "windows" || os === "darwin");
  return /^zh(?![a-z])/i.test(asks ? locale() : named ?? "") ? "zh" : "en";
}

/** Prefix of the program's environment variables. */
export const PREFIX = "MUXUE_RAG_";

/** The variable with the passphrase that secrets are encrypted and decrypted with, instead of the key file. */
export const PASSPHRASE = `${PREFIX}PASSPHRASE`;

/** Variables with the prefix that set no configuration key. */
export const RESERVED: readonly string[] = [
  `${PREFIX}CONFIG`,
  `${PREFIX}CONFIG_DIR`,
  `${PREFIX}STATE_DIR`,
  `${PREFIX}MODELS_DIR`,
  PASSPHRASE,
];

/** Names of the variables with the prefix that are not reserved, sorted. */
export function settingNames(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !RESERVED.includes(name)).sort();
}

/** Whether a variable sets a configuration key. Empty variables count as not set. */
export function isConfigured(env: Environment): boolean {
  return settingNames(env).some((name) => env[name]);
}

const IPV6 = /^\[[0-9a-f:]+\]$/;

// DNS allows 63 characters in a label and 253 in all. Some names have underscores.
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether the host of a URL is this machine. Requests to it use no proxy and do not leave the machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.includes(hostname);
}

/**
 * Whether a permission can name a host as `URL` gives it (lower case, punycode, IPv6 in brackets). URLs allow more: `a!b`,
 * which is not valid in a permission, and `*.example.com`, which would allow every subdomain.
 */
export function isHost(host: string): boolean {
  return IPV6.test(host) || HOST_NAME.test(host);
}
