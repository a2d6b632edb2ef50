import { join } from "node:path";
import {
  ConfigError,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
} from "#foundation/configuration/mod.ts";
import { message } from "#foundation/messages/mod.ts";

/** A working folder with these files, removed after the test. */
export async function folder(
  files: Record<string, string | Uint8Array>,
): Promise<AsyncDisposable & { dir: string }> {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(join(dir, name), bytes);
  }
  return { dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

/** The environment of a Chinese system. */
export const CHINESE = { LANG: "zh_CN.UTF-8" };

/** Loads a `config.yaml` with `text`, on a Chinese system by default. */
export async function load(text: string, options: Partial<LoadOptions> = {}): Promise<LoadedConfig> {
  await using work = await folder({ "config.yaml": text });
  return await loadConfig({ cwd: work.dir, ...options, env: { ...CHINESE, ...options.env } });
}

/** The message of the error for an invalid configuration. */
export async function complaint(loading: Promise<unknown>): Promise<string> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof ConfigError) return message(error.language, error.key, error.params);
    throw error;
  }
  throw new Error("the configuration was accepted");
}

const NAME_IT = "If you want this, name it with --config config.yaml";

/** The end of the message for what a `config.yaml` in the working folder must not set. */
export const MUST_NOT = `which a file that was only found in the working folder must not do. ${NAME_IT}`;

/** The warning for a `config.yaml` in the working folder that sets `what`. */
export function onlyFound(what: string): string {
  return `config.yaml was not named but only found in the working folder, and it sets ${what}. ${NAME_IT}`;
}
