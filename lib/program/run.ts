/**
 * From the arguments to the exit code: the command line is read, the request prepared and run,
 * in a locked worker where the command needs one.
 */
import { resolve } from "node:path";
import { LANGUAGES, systemLanguage } from "#foundation/configuration/mod.ts";
import { giveUpAllBut, type runInWorker } from "./launch.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { isNamedFolder } from "#foundation/boundary/mod.ts";
import type { PlainCommand } from "./command.ts";
import { commandNamed, COMMANDS, GROUPS, ROOT_FLAGS } from "./commands/declarations.ts";
import { abortable, type Context, EXIT, jsonAskedFor } from "./context.ts";
import { type Interrupts, interrupts, report } from "./report.ts";
import type { Io } from "./io.ts";
import type { Help, HelpTexts } from "./parse.ts";
import { plainCommandLine } from "./plain_line.ts";
import { prepare } from "./prepare.ts";
import type { CommandLine } from "./request.ts";

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

async function carryOut(invocation: Invocation, interrupt: Interrupts): Promise<number> {
  const { io, version, runLocked } = invocation;
  const parsed = plainCommandLine(invocation.argv) ?? await parse(invocation);
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
  // A start in a worker does without it.
  const { runRequest } = await import("./run_request.ts");
  return await runRequest(request, io);
}

async function parse({ argv, io }: Invocation, texts?: HelpTexts): Promise<CommandLine | Help> {
  const { parseArguments } = await import("./parse.ts");
  return parseArguments(argv, (path) => isNamedFolder(resolve(io.cwd, path)), texts);
}

async function printHelp({ asked }: Help, invocation: Invocation, signal: AbortSignal): Promise<number> {
  const { argv, io } = invocation;
  invocation.language = languageAskedFor(argv, io.env) ?? await abortable(configuredLanguage(io), signal);
  const { helpIn } = await import("./help.ts");
  const { text } = await parse(invocation, helpIn(invocation.language)) as Help;
  if (asked) await io.out(text);
  else io.err(text);
  return asked ? EXIT.done : EXIT.usage;
}

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
  const { configLanguage } = await import("#foundation/configuration/mod.ts");
  const { configurationPlaces } = await import("./configuration.ts");
  return await configLanguage(configurationPlaces(io, { config: file, dir: [] }));
}

/** The language of the command line or `MUXUE_RAG_LANGUAGE`, read leniently and first, since errors need it. */
export function languageAskedFor(argv: readonly string[], env: Io["env"]): Language | undefined {
  for (const [at, argument] of argv.entries()) {
    if (argument === "--") break;
    const value = argument === "--language" ? argv[at + 1] : /^--language=(.*)$/s.exec(argument)?.[1];
    const language = languageNamed(value);
    if (language !== undefined) return language;
  }
  return languageNamed(env["MUXUE_RAG_LANGUAGE"]);
}

function languageNamed(value: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === value);
}
