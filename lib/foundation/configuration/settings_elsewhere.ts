/**
 * The settings that a process needs which another program starts elsewhere: `setup` writes them into a client's configuration.
 */
import { dirname } from "node:path";
import { addressSecrets, type GivenValue, isAddressKey, isSecretKey, keyPath } from "./given_value.ts";
import { readEnvironment, referenceOf } from "./environment.ts";
import { configDir, type Environment, modelsDir, PASSPHRASE, stateDir } from "./user_environment.ts";
import { type OperatingSystem, OS } from "#foundation/runtime.ts";
import { findFile, type LoadedConfig, type LoadOptions } from "./find_file.ts";
import { isEncrypted, parseSealed } from "./secrets.ts";
import type { Config } from "./schema.ts";

/** The settings that a process needs which another program starts in another folder, with another environment. */
export interface SettingsElsewhere {
  /** Absolute path for `--config`. Null where the process finds the file without, or there is no file. */
  readonly file: string | null;
  /** The environment variables to set. No value holds a secret. */
  readonly env: Readonly<Record<string, string>>;
  /** Settings that cannot be handed on, because they would need a secret. */
  readonly lost: readonly LostSetting[];
}

/** A key whose value needs a variable that holds a secret, which must not be written down. */
export interface LostSetting {
  /** `section.key`. */
  readonly key: string;
  /** The variable's name. */
  readonly name: string;
  /** The file says `env:NAME`, the variable is the setting, or it decrypts the value in the file. */
  readonly by: "reference" | "variable" | "passphrase";
}

/** Variables that tell the home folder. Programs hand them to their children even with an otherwise empty environment. */
const INHERITED = ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];

/** The settings that give a process elsewhere the configuration `loaded`, beyond the files in the user's folders. */
export async function settingsElsewhere(
  options: LoadOptions,
  { config, source }: Pick<LoadedConfig, "config" | "source">,
): Promise<SettingsElsewhere> {
  const { env } = options;
  const os = options.os ?? OS;
  const carried: Record<string, string> = movedFolders(env, os);
  const lost: LostSetting[] = [];

  // The file in effect is named, because a nearer one may have been passed over.
  const file = source === null ? null : await findFile({ ...options, file: source, os }, []);
  for (const given of file?.reading.values ?? []) {
    const { key, value } = given;
    if (typeof value !== "string") continue;
    const path = keyPath(given);
    const name = referenceOf(value);
    const text = name === undefined ? value : env[name] ?? "";
    if (name === undefined) {
      if (isSecretKey(key) && needsPassphrase(text)) {
        lost.push({ key: path, name: PASSPHRASE, by: "passphrase" });
      }
    } else if (isSecret(key, text)) lost.push({ key: path, name, by: "reference" });
    else carried[name] = text;
  }
  for (const given of readEnvironment(env).values) {
    const name = given.position.text.slice("env:".length);
    if (valueIn(options.flags ?? {}, given) !== undefined) continue;
    const value = valueIn(config, given);
    if (isSecret(given.key, String(value))) lost.push({ key: keyPath(given), name, by: "variable" });
    else carried[name] = variableText(value) ?? env[name] ?? "";
  }
  return { file: isFoundWithout(options, source, os) ? null : source, env: carried, lost };
}

/** The variables for the user's folders, where the environment moves them from their default places. */
function movedFolders(env: Environment, os: OperatingSystem): Record<string, string> {
  const bare = Object.fromEntries(INHERITED.map((name) => [name, env[name]]));
  const moved: Record<string, string> = {};
  for (
    const [name, folder] of [
      ["MUXUE_RAG_STATE_DIR", stateDir],
      ["MUXUE_RAG_CONFIG_DIR", configDir],
      ["MUXUE_RAG_MODELS_DIR", modelsDir],
    ] as const
  ) {
    const path = folder(env, os);
    if (path !== null && path !== folder(bare, os)) moved[name] = path;
  }
  return moved;
}

/** Whether the file is found in the user's configuration folder, without `--config` and in every working folder. */
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

function valueIn(
  config: Config | NonNullable<LoadOptions["flags"]>,
  { section, key }: GivenValue,
): unknown {
  let values: Record<string, unknown> | undefined = config;
  for (const name of section?.split(".") ?? []) {
    values = values?.[name] as Record<string, unknown> | undefined;
  }
  return values?.[key];
}

/** A text or a list of texts as a variable holds it. Relative paths are absolute here, unlike in the variable that was set. */
function variableText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(",")
    : undefined;
}
