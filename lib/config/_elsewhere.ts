import { dirname } from "node:path";
import { addressSecrets } from "./_address.ts";
import { type Entry, pathOf } from "./_entry.ts";
import { readEnvironment } from "./_environment.ts";
import { findFile } from "./_find_file.ts";
import { referenceOf } from "./_references.ts";
import { isEncrypted, parseSealed } from "./encryption/sealed.ts";
import { PASSPHRASE } from "./environment_names.ts";
import type { Config } from "./schema.ts";
import { isAddressKey, isSecretKey } from "./secrets.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";
import { configDir, type Environment, type OperatingSystem, stateDir } from "./user_dirs.ts";

/** What is known of a process that is started in another folder with another environment. */
export interface SettingsElsewhere {
  /** The configuration file to name, absolute; null where it is found without, or there is none. */
  readonly file: string | null;
  /** The environment variables to set. None holds a secret. */
  readonly env: Readonly<Record<string, string>>;
  /** What such a process must do without, because it would take a secret. */
  readonly lost: readonly LostSetting[];
}

/** A key whose value hangs on a variable that is not to be written down, because it holds a secret. */
export interface LostSetting {
  /** `section.key`. */
  readonly key: string;
  /** The variable. */
  readonly name: string;
  /** How it comes in: the file says `env:NAME`, the variable is the setting, or it opens what the file has encrypted. */
  readonly by: "reference" | "variable" | "passphrase";
}

/** What programs leave their children even where they start them with next to nothing: it tells where the home folder is. */
const LEFT = ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];

/** What `options` say beside the files in the user's folder, so that `loaded` is in effect elsewhere too. */
export async function settingsElsewhere(
  options: LoadOptions,
  { config, source }: Pick<LoadedConfig, "config" | "source">,
): Promise<SettingsElsewhere> {
  const { env } = options;
  const os = options.os ?? Deno.build.os;
  const carried: Record<string, string> = movedFolders(env, os);
  const lost: LostSetting[] = [];

  // the very file that is in effect: another may lie nearer that was passed over
  const file = source === null ? null : await findFile({ ...options, file: source, os }, []);
  for (const entry of file?.reading.entries ?? []) {
    const { key, value } = entry;
    if (typeof value !== "string") continue;
    const path = pathOf(entry);
    const name = referenceOf(value);
    const text = name === undefined ? value : env[name] ?? "";
    if (name === undefined) {
      if (isSecretKey(key) && needsPassphrase(text)) {
        lost.push({ key: path, name: PASSPHRASE, by: "passphrase" });
      }
    } else if (isSecret(key, text)) lost.push({ key: path, name, by: "reference" });
    else carried[name] = text;
  }
  for (const entry of readEnvironment(env).entries) {
    const { section, key } = entry;
    const name = entry.place.text.slice("env:".length);
    if (isOverridden(entry, options)) continue;
    const value = effective(config, section, key);
    if (isSecret(key, String(value))) lost.push({ key: pathOf(entry), name, by: "variable" });
    else carried[name] = textOf(value) ?? env[name] ?? "";
  }
  return { file: isFoundWithout(options, source, os) ? null : source, env: carried, lost };
}

/** The user's folders that the environment puts elsewhere than where they are by themselves. */
function movedFolders(env: Environment, os: OperatingSystem): Record<string, string> {
  const bare = Object.fromEntries(LEFT.map((name) => [name, env[name]]));
  const moved: Record<string, string> = {};
  for (
    const [name, folder] of [["MUXUE_RAG_STATE_DIR", stateDir], ["MUXUE_RAG_CONFIG_DIR", configDir]] as const
  ) {
    const path = folder(env, os);
    if (path !== null && path !== folder(bare, os)) moved[name] = path;
  }
  return moved;
}

/** Whether a file is in effect because it lies in the user's configuration folder, not because it is named or near. */
function isFoundWithout({ file, env }: LoadOptions, source: string | null, os: OperatingSystem): boolean {
  if (source === null) return true;
  return !file && !env["MUXUE_RAG_CONFIG"] && dirname(source) === configDir(env, os);
}

function isSecret(key: string, value: string): boolean {
  return isSecretKey(key) || (isAddressKey(key) && addressSecrets(value).length > 0);
}

function needsPassphrase(value: string): boolean {
  return isEncrypted(value) && parseSealed(value).origin.kind === "passphrase";
}

function isOverridden({ section, key }: Entry, { flags = {} }: LoadOptions): boolean {
  return effective(flags, section, key) !== undefined;
}

function effective(
  config: Config | NonNullable<LoadOptions["flags"]>,
  section: string | undefined,
  key: string,
): unknown {
  const top = config as Record<string, unknown>;
  return section === undefined ? top[key] : (top[section] as Record<string, unknown> | undefined)?.[key];
}

/** A value as a variable says it, where it differs from what was set: relative paths are absolute by now. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(",")
    : undefined;
}
