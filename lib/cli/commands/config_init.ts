import { resolve } from "node:path";
import { defaultConfigText } from "../../config/mod.ts";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import type { Context } from "../context.ts";

/** `config init [--force]`: writes the commented defaults to `--config` or `./config.yaml`. */
export async function configInit({ io, flags, language }: Context): Promise<number> {
  const path = resolve(io.cwd, flags.config ?? "config.yaml");
  const text = await defaultConfigText();
  try {
    await Deno.writeTextFile(path, text, { createNew: !flags.force });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw new UserError("cli_config_exists", { path });
    throw error;
  }
  await io.out(`${message(language, "cli_config_written", { path })}\n`);
  return 0;
}
