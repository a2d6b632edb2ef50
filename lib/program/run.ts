/**
 * From the arguments to the exit code: the command line is read, the request prepared and run,
 * in a locked worker where the command needs one.
 */
import { resolve } from "node:path";
import { LANGUAGES, systemLanguage } from "#foundation/configuration/mod.ts";
import { giveUpAllBut } from "./launch.ts";
import { type Language, suggestWithConfiguration } from "#foundation/messages/mod.ts";
import { isNamedFolder } from "#foundation/boundary/mod.ts";
import type { PlainCommand } from "./command.ts";
import { commandNamed, COMMANDS, GROUPS, ROOT_FLAGS } from "./commands/declarations.ts";
import { abortable, type Context, EXIT, Interrupted, jsonAskedFor } from "./context.ts";
import { type Interrupts, interrupts, report } from "./report.ts";
import type { Io } from "./io.ts";
import { type Help, parseArguments } from "./parse.ts";
import { prepare } from "./prepare.ts";
import type { CommandLine, Request, Session } from "./request.ts";
import type { runInWorker } from "./run_in_worker.ts";

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
  const { configLanguage } = await import("#foundation/configuration/mod.ts");
  const { configurationPlaces } = await import("./configuration.ts");
  return await configLanguage(configurationPlaces(io, { config: file, dir: [] }));
}

/**
 * The language that the command line or `MUXUE_RAG_LANGUAGE` asks for; `undefined` without one. It is read leniently and
 * before the rest is parsed, so that errors are reported in it.
 */
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

/** Imports the code of a command on folders, and that which opens its session. */
export async function loadCommand(
  name: string,
): Promise<[(session: Session) => Promise<number>, typeof import("./open_session.ts")]> {
  const command = commandNamed(name);
  if (command.folders === undefined) throw new TypeError(`${name} does not work on folders`);
  return await Promise.all([command.load(), import("./open_session.ts")]);
}

/** Runs the request of a command on folders in this thread and gives the exit code. Never throws. */
async function runRequest(request: Request, io: Io): Promise<number> {
  const { command, language, flags, source } = request;
  suggestWithConfiguration(flags.config === undefined ? undefined : source ?? flags.config);
  let logged = false;
  using interrupt = interrupts(io, () => language);
  const { signal } = interrupt;
  try {
    const [run, { openSession }] = await loadCommand(command);
    await using session = await abortable(openSession(request, io, signal), signal);
    try {
      return await run(session);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      session.log[signal.aborted ? "info" : "error"]("failed", { command, error: detail });
      logged = session.log.problem === undefined;
      throw error;
    }
  } catch (error) {
    return await report(error, { io, language, command, json: flags.json ?? false, logged });
  }
}

/** Like {@linkcode runRequest}, in a separate thread. An uncaught error is reported and ends the run. */
export async function runGuarded(request: Request, io: Io): Promise<number> {
  // Imported here, since it needs the log, which the launcher does not.
  const { reportUncaught } = await import("./open_session.ts");
  return await untilUncaught(
    () => runRequest(request, io),
    (error) => reportUncaught(error, request, io),
  );
}

/**
 * The exit code of `work`, or that of `onUncaught` as soon as an error in this thread is not caught. `onUncaught` gets only
 * the first such error, since later ones are mostly its consequences. The runtime would print the error unchanged, with
 * secrets and control characters.
 */
function untilUncaught(
  work: () => Promise<number>,
  onUncaught: (error: unknown) => Promise<number>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const fail = (event: Event, error: unknown) => {
      event.preventDefault();
      // These are no faults: the work ends in order.
      const isOrderly = error instanceof Interrupted || error instanceof Deno.errors.BrokenPipe;
      if (failed || isOrderly) return;
      failed = true;
      resolve(onUncaught(error));
    };
    globalThis.addEventListener("error", (event) => fail(event, event.error ?? event.message));
    globalThis.addEventListener("unhandledrejection", (event) => fail(event, event.reason));
    // The first result counts. resolve(work()) would settle on the work alone.
    work().then(resolve, reject);
  });
}
