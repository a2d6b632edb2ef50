import { statSync } from "node:fs";
import { resolve } from "node:path";
import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { abortable, Interrupted } from "./context.ts";
import type { Command, Context } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";
import { jsonAskedFor } from "./json.ts";
import { languageAskedFor } from "./language.ts";
import type { CommandName } from "./options.ts";
import { parseArguments } from "./parse.ts";
import type { Invocation } from "./parse.ts";
import { report } from "./report.ts";
import type { SessionCommand } from "./session.ts";

const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/**
 * Loaded when asked for: `--version` and `serve` must not wait for what other commands need. Only those which name no
 * folder run without a session; those that are `spoken` speak the configuration's language, whatever else is wrong
 * with it.
 */
const COMMANDS: Readonly<
  Record<
    CommandName,
    () => Promise<{ plain: Command } | { spoken: Command } | { session: SessionCommand }>
  >
> = {
  "index": async () => ({ session: (await import("./commands/index.ts")).index }),
  "search": async () => ({ session: (await import("./commands/search.ts")).search }),
  "serve": async () => ({ session: (await import("./commands/serve.ts")).serve }),
  "status": async () => ({ session: (await import("./commands/status.ts")).status }),
  "doctor": async () => ({ session: (await import("./commands/doctor.ts")).doctor }),
  "reembed": async () => ({ session: (await import("./commands/reembed.ts")).reembed }),
  "clean": async () => ({ session: (await import("./commands/clean.ts")).clean }),
  "backup": async () => ({ session: (await import("./commands/backup.ts")).backup }),
  "restore": async () => ({ session: (await import("./commands/restore.ts")).restore }),
  "eval": async () => ({ session: (await import("./commands/eval.ts")).evaluation }),
  "setup": async () => ({ session: (await import("./commands/setup.ts")).setup }),
  "config check": async () => ({ plain: (await import("./commands/config_check.ts")).configCheck }),
  "config init": async () => ({ plain: (await import("./commands/config_init.ts")).configInit }),
  "config encrypt": async () => ({ spoken: (await import("./commands/config_encrypt.ts")).configEncrypt }),
  "config decrypt": async () => ({ spoken: (await import("./commands/config_decrypt.ts")).configDecrypt }),
  "version": async () => ({ plain: (await import("./commands/version.ts")).version }),
};

/**
 * Does what a command line asks for and gives the exit code: 0 done, 1 failed, 2 wrong usage or configuration,
 * 130 interrupted. Never throws.
 */
export async function run(argv: readonly string[], io: Io, version: string): Promise<number> {
  const asked = languageAskedFor(argv, io.env);
  let language: Language = asked ?? "zh";
  let invocation: Invocation | undefined;
  let logged = false;
  const interrupt = new AbortController();
  const { signal } = interrupt;
  using _listener = io.onInterrupt(() => {
    // A bar may be on the line and the cursor hidden.
    if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
    if (signal.aborted) io.exit(EXIT.interrupted);
    io.err(`${message(language, "cli_stopping")}\n`);
    interrupt.abort(new Interrupted());
  });
  try {
    const isDirectory = (path: string) =>
      statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
    invocation = parseArguments(argv, language, isDirectory);
    if (invocation.command === "help") {
      language = asked ?? await abortable(configuredLanguage(io), signal);
      if (language !== "zh") invocation = parseArguments(argv, language, isDirectory);
    }
    if (invocation.command === "help") {
      if (invocation.asked) await io.out(invocation.text);
      else io.err(invocation.text);
      return invocation.asked ? EXIT.done : EXIT.usage;
    }

    const { command, operands, flags } = invocation;
    const context: Context = { io, flags, operands, language, version, signal };
    const loaded = await COMMANDS[command]();
    if ("plain" in loaded) return await loaded.plain(context);
    if ("spoken" in loaded) {
      language = asked ?? await abortable(configuredLanguage(io, flags.config), signal);
      return await loaded.spoken({ ...context, language });
    }
    const { openSession } = await import("./open_session.ts");
    await using session = await abortable(openSession(context, command), signal);
    language = session.language;
    try {
      return await loaded.session(session);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      session.log[signal.aborted ? "info" : "error"]("failed", { command, error: detail });
      logged = session.log.problem === undefined;
      throw error;
    }
  } catch (error) {
    return await report(error, { io, language, invocation, json: jsonAskedFor(argv), logged });
  }
}

/** The language of the configuration: whatever is wrong with it is no reason to say nothing. */
async function configuredLanguage(io: Io, file?: string): Promise<Language> {
  const { configLanguage } = await import("../config/mod.ts");
  return await configLanguage({ file, cwd: io.cwd, env: io.env });
}
