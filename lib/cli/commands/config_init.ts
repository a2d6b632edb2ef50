import { dirname, resolve } from "node:path";
import { defaultConfigText } from "../../config/mod.ts";
import { reasonOf, UsageError, UserError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { say } from "../say.ts";

/** `config init [--force]`: writes the commented defaults to `--config` or `./config.yaml`. */
export async function configInit({ io, flags, language }: Context): Promise<number> {
  const path = resolve(io.cwd, flags.config ?? "config.yaml");
  const text = await defaultConfigText();
  try {
    if ((await Deno.lstat(path).catch(() => undefined))?.isDirectory) {
      throw new UsageError("config_file_is_directory", { path });
    }
    if (flags.force) await replace(path, text);
    else await create(path, text);
  } catch (error) {
    throw explained(error, path);
  }
  await io.out(`${say(language, "cli_config_written", { path })}\n`);
  return EXIT.done;
}

/** Writes a file that must not be there yet; what could not be finished is removed. */
async function create(path: string, text: string): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  try {
    let rest = new TextEncoder().encode(text);
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}

/** Puts a new file in the place of `path`: a link there is replaced, not followed, and the old file stays until then. */
async function replace(path: string, text: string): Promise<void> {
  const fresh = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await create(fresh, text);
    await Deno.rename(fresh, path);
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw error;
  }
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof UserError) return error;
  if (error instanceof Deno.errors.AlreadyExists) return new UserError("cli_config_exists", { path });
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return new UsageError("cli_config_no_folder", { path, folder: dirname(path) }, { cause: error });
  }
  const reason = reasonOf(error);
  return new UserError("cli_config_unwritable", { path, reason }, { cause: error });
}
