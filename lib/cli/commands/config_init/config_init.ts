import { dirname, resolve } from "node:path";
import { defaultConfigText } from "../../../config/mod.ts";
import { reasonOf, UsageError, UserError } from "../../../errors.ts";
import { isMissing, lookAt, writeAll, writeNamed } from "../../../sandbox/mod.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printableMessage } from "../../printable_message.ts";

/** `config init [--force]`: writes the defaults with comments to `--config` or `./config.yaml`. */
export async function configInit({ io, flags, language }: Context): Promise<number> {
  const path = resolve(io.cwd, flags.config ?? "config.yaml");
  const text = await defaultConfigText();
  try {
    if ((await lookAt(path).catch(() => undefined))?.isDirectory) {
      throw new UsageError("config_file_is_directory", { path });
    }
    // A link at this path is replaced, not followed.
    await writeNamed(path, (file) => writeAll(file, new TextEncoder().encode(text)), {
      mode: 0o666,
      overwrite: flags.force ?? false,
    });
  } catch (error) {
    throw explained(error, path);
  }
  await io.out(`${printableMessage(language, "cli_config_written", { path })}\n`);
  return EXIT.done;
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof UserError) return error;
  if (error instanceof Deno.errors.AlreadyExists) return new UserError("cli_config_exists", { path });
  if (isMissing(error)) {
    return new UsageError("cli_config_no_folder", { path, folder: dirname(path) }, { cause: error });
  }
  const reason = reasonOf(error);
  return new UserError("cli_config_unwritable", { path, reason }, { cause: error });
}
