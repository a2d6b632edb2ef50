/**
 * How commands speak: notes, warnings, errors and questions in the language of the user, safe for a terminal, JSON documents,
 * and remarks about the configuration, the folders and the models that a command uses.
 */
import { dirname, join } from "node:path";
import { ConfigError, keysWithoutEffect } from "#foundation/configuration/mod.ts";
import { reasonOf, UsageError, UserError } from "#foundation/errors.ts";
import { isSystemError } from "#foundation/boundary/mod.ts";
import {
  type Language,
  message,
  type MessageKey,
  type MessageParams,
  printable,
  printableJson,
  printableText,
} from "#foundation/messages/mod.ts";
import { type Context, type MessageContext, warnText } from "./context.ts";
import type { Request, Session } from "./request.ts";
import { styleFor } from "./terminal_text.ts";

/** Prints a note on stderr, unless `--quiet`. */
export function note(context: Context, key: MessageKey, params: MessageParams = {}): void {
  if (!context.flags.quiet) context.io.err(`${printableMessage(context.language, key, params)}\n`);
}

/** Prints a warning on stderr, unless `--quiet`. */
export function warn(context: MessageContext, key: MessageKey, params: MessageParams = {}): void {
  warnText(context, printableMessage(context.language, key, params));
}

/** `message` for a terminal: the names put into it are made {@linkcode printable}. */
export function printableMessage(language: Language, key: MessageKey, params: MessageParams = {}): string {
  const clean = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? printable(value) : value,
  ]);
  return message(language, key, Object.fromEntries(clean));
}

/** The text of an error. `logged`: whether the log holds its details. */
export function errorText(error: unknown, language: Language, logged: boolean): string {
  const [key, params] = textOf(error, logged);
  return message(language, key, params);
}

/** Like {@linkcode errorText}, without control characters that a terminal would act on. */
export function printableErrorText(error: unknown, language: Language, logged: boolean): string {
  // Each problem of a configuration is a line; other texts must have no line breaks.
  if (error instanceof ConfigError) return printableText(errorText(error, language, logged));
  const [key, params] = textOf(error, logged);
  return printableMessage(language, key, params);
}

function textOf(error: unknown, logged: boolean): [key: MessageKey, params: MessageParams] {
  if (error instanceof UserError) return [error.key, error.params];
  if (isSystemError(error)) return ["cli_system_error", { detail: reasonOf(error) }];
  return [logged ? "cli_internal_error_logged" : "cli_internal_error", { detail: reasonOf(error) }];
}

/** Prints the JSON document of `--json`, which has the shape of the MCP tools' answers. */
export async function printJson(
  { io, language }: Pick<Context, "io" | "language">,
  data: unknown,
  text: string = message(language, "cli_done"),
  code: 200 | 500 = 200,
): Promise<void> {
  await io.out(jsonText({ code, message: text, data }));
}

/** A JSON document as it is printed, without control characters that a terminal would act on. */
export function jsonText(document: unknown): string {
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
}

/** The configuration of a command, and how it was found. */
type InEffect = Pick<Request, "source" | "by" | "config">;

/** The configuration file in effect and how it was found; `undefined` without a file. */
export function configurationText({ source, by, config }: InEffect, language: Language): string | undefined {
  if (source === null || by === undefined) return undefined;
  const how = message(language, `cli_configuration_${by}`, { dir: config.outside?.dir ?? dirname(source) });
  return printableMessage(language, "cli_configuration_how", { path: source, how });
}

/** The same for `--json`. */
export function configurationData({ source, by, config: { outside } }: InEffect): object {
  if (source === null) return {};
  return { configuration: { file: source, by, ...(outside && { only_tightens_outside: outside.dir }) } };
}

/** Says on stderr which configuration is in effect, and which of its keys do not hold for the folders of the command. */
export function tellConfiguration(
  { roots, ...inEffect }: InEffect & Pick<Request, "roots">,
  context: MessageContext,
): void {
  const { io, flags, language } = context;
  const text = configurationText(inEffect, language);
  if (text === undefined || flags.quiet || flags.json) return;
  const line = message(language, "cli_configuration", { text });
  io.err(`${styleFor(io, "stderr").dim(line)}\n`);
  for (const dir of roots) {
    const keys = keysWithoutEffect(inEffect.config, dir).join(", ");
    if (keys !== "") warn(context, "cli_configuration_loosens", { path: inEffect.source!, keys, dir });
  }
}

/**
 * Asks a question on the terminal and returns whether the answer is yes; `--yes` answers it. Says after another answer that
 * nothing was changed. Throws `UsageError` `cli_confirm_needed` without a terminal, and the signal's reason after Ctrl-C.
 */
export async function confirm(context: Context, key: MessageKey, params: MessageParams): Promise<boolean> {
  const { io, flags, language, signal } = context;
  if (flags.yes) return true;
  if (!io.terminal.stdin || !io.terminal.stderr) throw new UsageError("cli_confirm_needed");
  io.err(printableMessage(language, key, params));
  const answer = await io.readLine(signal);
  signal.throwIfAborted();
  const isYes = /^\s*(y|yes|是|好)\s*$/i.test(answer ?? "");
  if (!isYes) note(context, "cli_declined");
  return isYes;
}

/** Whether `root` may get an index, which is asked or told if it lies in an indexed folder and has none yet. */
export async function mayGetIndex(session: Session, root: string): Promise<boolean> {
  const { io: { terminal }, flags, choice: { within } } = session;
  const params = { dir: root, root: within[root] ?? "" };
  if (params.root === "") return true;
  if (!flags.yes && terminal.stdin && terminal.stderr) {
    return await confirm(session, "cli_confirm_second_index", params);
  }
  note(session, "cli_second_index", params);
  return true;
}

/**
 * Says why a command works on other folders than those that were typed: none was and the working folder is not indexed, or
 * one lies in an indexed folder. Throws `UsageError` `cli_no_registered_dir` where there is no folder at all.
 */
export function explainChoice(session: Session): void {
  const { io: { cwd }, roots, choice: { by, below } } = session;
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  if (by === "outside") note(session, "cli_outside", { dir: cwd, count: roots.length });
  for (const [root, paths] of Object.entries(below)) {
    for (const path of paths) note(session, "cli_inside_indexed", { dir: join(root, path), root });
  }
}

/** Suggests models for sentences, unless some are installed or the configuration chose other vectors. */
export function suggestModels(session: Session): void {
  const { hasModels, flags, config } = session;
  if (hasModels || flags.json || config.embedding.provider !== "builtin") return;
  note(session, "cli_suggest_models");
}

/** Says how many results of a language model were rejected; empty without any. `pictures`: of descriptions of pictures. */
export function rejectedText(
  rejected: { readonly count: number; readonly pictures?: unknown } | undefined,
  language: Language,
): string {
  if (rejected === undefined) return "";
  const key = "pictures" in rejected ? "llm_rejected_pictures" : "llm_rejected_results";
  return message(language, key, { count: rejected.count });
}
