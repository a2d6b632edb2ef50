import { resolve } from "node:path";
import type { Language } from "../messages.ts";
import { isNamedFolder } from "../sandbox/mod.ts";
import { isFolderCommand, OTHERS } from "./commands.ts";
import { abortable } from "./context.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit.ts";
import { type Interrupts, interrupts } from "./interrupts.ts";
import type { Io } from "./io.ts";
import { jsonAskedFor } from "./json.ts";
import { languageAskedFor } from "./language.ts";
import type { CommandName } from "./options.ts";
import { parseArguments } from "./parse.ts";
import type { Invocation } from "./parse.ts";
import { perform } from "./perform.ts";
import { configure, prepare } from "./prepare.ts";
import type { Preparation } from "./prepare.ts";
import { report } from "./report.ts";

/** Carries out a command that has been prepared, and gives the exit code. Ctrl-C is listened to until it is handed over. */
export type Performer = (preparation: Preparation, io: Io, interrupt: Interrupts) => Promise<number>;

/** Called as soon as it is known what is asked for; gives the performer of a command on folders, if it has one of its own. */
export type Stage = (command: CommandName | "help") => Performer | undefined;

/**
 * Does what a command line asks for and gives the exit code: 0 done, 1 failed, 2 wrong usage or configuration,
 * 130 interrupted. Commands on folders are carried out on `stage`; by default here. Never throws.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  version: string,
  stage: Stage = () => undefined,
): Promise<number> {
  const line: CommandLine = { argv, io, version, stage, language: languageAskedFor(argv, io.env) ?? "zh" };
  try {
    using interrupt = interrupts(io, () => line.language);
    return await done(line, interrupt);
  } catch (error) {
    const { language, invocation } = line;
    return await report(error, { io, language, invocation, json: jsonAskedFor(argv), logged: false });
  }
}

/** A command line, and what has become known of it: errors are told in its language. */
interface CommandLine {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly version: string;
  readonly stage: Stage;
  language: Language;
  invocation?: Invocation;
}

async function done(line: CommandLine, interrupt: Interrupts): Promise<number> {
  const { argv, io, version, stage } = line;
  const { signal } = interrupt;
  line.invocation = parse(line);
  const performer = stage(line.invocation.command) ?? performHere;
  if (line.invocation.command === "help") {
    line.language = languageAskedFor(argv, io.env) ?? await abortable(configuredLanguage(io), signal);
    if (line.language !== "zh") line.invocation = parse(line);
  }
  if (line.invocation.command === "help") {
    const { asked, text } = line.invocation;
    if (asked) await io.out(text);
    else io.err(text);
    return asked ? EXIT.done : EXIT.usage;
  }

  const { command, operands, flags } = line.invocation;
  const context: Context = { io, operands, flags, language: line.language, version, signal };
  if (!isFolderCommand(command)) {
    const loaded = await OTHERS[command]();
    if ("plain" in loaded) return await loaded.plain(context);
    line.language = languageAskedFor(argv, io.env) ??
      await abortable(configuredLanguage(io, flags.config), signal);
    return await loaded.spoken({ ...context, language: line.language });
  }
  const task = { command, operands, flags };
  const configured = await configure(task, context);
  line.language = configured.language;
  const preparation = await prepare(configured, context);
  return await performer(preparation, io, interrupt);
}

/** Carries a command out in this thread, and listens to Ctrl-C for it. */
function performHere(preparation: Preparation, io: Io, interrupt: Interrupts): Promise<number> {
  interrupt[Symbol.dispose]();
  return perform(preparation, io);
}

function parse({ argv, io, language }: CommandLine): Invocation {
  return parseArguments(argv, language, (path) => isNamedFolder(resolve(io.cwd, path)));
}

/** The language of the configuration: whatever is wrong with it is no reason to say nothing. */
async function configuredLanguage(io: Io, file?: string): Promise<Language> {
  const { configLanguage } = await import("../config/mod.ts");
  const { configurationPlaces } = await import("./configuration.ts");
  return await configLanguage(configurationPlaces(io, { config: file, dir: [] }));
}
