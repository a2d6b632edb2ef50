import { resolve } from "node:path";
import { systemLanguage } from "../config/mod.ts";
import { giveUpAllBut } from "../launch/mod.ts";
import type { Language } from "../messages.ts";
import { isNamedFolder } from "../sandbox/mod.ts";
import type { PlainCommand } from "./command.ts";
import { commandNamed, COMMANDS, GROUPS, ROOT_FLAGS } from "./commands/mod.ts";
import { abortable, type Context } from "./context.ts";
import { EXIT } from "./exit.ts";
import { type Interrupts, interrupts } from "./interrupts.ts";
import type { Io } from "./io.ts";
import { jsonAskedFor } from "./json.ts";
import { languageAskedFor } from "./language.ts";
import { type Help, parseArguments } from "./parse.ts";
import { prepare } from "./prepare.ts";
import { report } from "./report.ts";
import type { CommandLine } from "./request.ts";
import type { runInWorker } from "./run_in_worker.ts";
import { runRequest } from "./run_request.ts";

/** One call of {@linkcode run}: its input, and what is known so far for reporting an error. */
interface Invocation {
  readonly argv: readonly string[];
  readonly io: Io;
  /** The program's version. */
  readonly version: string;
  /** Runs commands in a locked worker; `undefined` to run every command here. */
  readonly runLocked: typeof runInWorker | undefined;
  /** The language of errors; it changes once the configuration is known. */
  language: Language;
  /** The command's name, once the command line was read. */
  command?: string;
}

/**
 * Runs a command line and returns the exit code: 0 done, 1 failed, 2 wrong usage or configuration, 130 interrupted. Never
 * throws.
 *
 * `runLocked` runs the commands that need a locked worker; the other commands give up the permissions that they do not need.
 * Without it, as in tests, every command runs in this thread, which keeps its permissions.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  version: string,
  runLocked?: typeof runInWorker,
): Promise<number> {
  const language = languageAskedFor(argv, io.env) ?? systemLanguage(io.env, Deno.build.os);
  const invocation: Invocation = { argv, io, version, runLocked, language };
  try {
    using interrupt = interrupts(io, () => invocation.language);
    return await carryOut(invocation, interrupt);
  } catch (error) {
    const { language, command } = invocation;
    return await report(error, { io, language, command, json: jsonAskedFor(argv), logged: false });
  }
}

/** Reads the command line, prepares the request and runs it, in a locked worker where the command needs one. */
async function carryOut(invocation: Invocation, interrupt: Interrupts): Promise<number> {
  const { io, version, runLocked } = invocation;
  const parsed = parse(invocation);
  invocation.command = parsed.command;
  if ("text" in parsed) {
    if (runLocked !== undefined) giveUpAllBut(["read"]);
    return await printHelp(parsed, invocation, interrupt.signal);
  }
  const command = commandNamed(parsed.command);
  if (runLocked !== undefined && command.keeps !== undefined) giveUpAllBut(command.keeps);
  if (command.folders === undefined) return await runPlain(command, parsed, invocation, interrupt.signal);

  const { language } = invocation;
  const context: Context = { ...parsed, io, language, version, signal: interrupt.signal };
  const request = await prepare(command, context, (configured) => invocation.language = configured);
  if (runLocked !== undefined && command.worker !== undefined) {
    return await runLocked(command, request, io, interrupt);
  }
  // The request listens to Ctrl-C itself.
  interrupt[Symbol.dispose]();
  return await runRequest(request, io);
}

function parse({ argv, io, language }: Invocation): CommandLine | Help {
  return parseArguments(argv, language, (path) => isNamedFolder(resolve(io.cwd, path)));
}

/** Prints the help, in the language of the configuration unless the command line names one. */
async function printHelp(parsed: Help, invocation: Invocation, signal: AbortSignal): Promise<number> {
  const { argv, io } = invocation;
  invocation.language = languageAskedFor(argv, io.env) ?? await abortable(configuredLanguage(io), signal);
  // The first help was made before the configured language was known.
  const help = parse(invocation);
  const { text, asked } = "text" in help ? help : parsed;
  if (asked) await io.out(text);
  else io.err(text);
  return asked ? EXIT.done : EXIT.usage;
}

/** Runs a command that works on no folder, in this thread. */
async function runPlain(
  command: PlainCommand,
  parsed: CommandLine,
  invocation: Invocation,
  signal: AbortSignal,
): Promise<number> {
  const { argv, io, version } = invocation;
  if (command.language === "configured") {
    invocation.language = languageAskedFor(argv, io.env) ??
      await abortable(configuredLanguage(io, parsed.flags.config), signal);
  }
  const work = await command.load();
  const context: Context = { ...parsed, io, language: invocation.language, version, signal };
  return await work(context, { commands: COMMANDS, groups: GROUPS, rootFlags: ROOT_FLAGS });
}

/** The language of the configuration, even where the rest of the configuration is wrong. */
async function configuredLanguage(io: Io, file?: string): Promise<Language> {
  const { configLanguage } = await import("../config/mod.ts");
  const { configurationPlaces } = await import("./configuration.ts");
  return await configLanguage(configurationPlaces(io, { config: file, dir: [] }));
}
