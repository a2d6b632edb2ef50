import { doesNotMatch } from "node:assert/strict";
import type { Config } from "#foundation/configuration/mod.ts";
import { DEFAULTS } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { message } from "#foundation/messages/mod.ts";
import { type LanguageModel, type ModelRequest, openLanguageModel } from "#models/language/mod.ts";
import * as z from "zod";
import type { LanguageServer } from "./_servers/mod.ts";

/** The section `llm` for a server: the defaults with `changes`. */
export function llmConfig(server: LanguageServer, changes: Partial<Config["llm"]> = {}): Config["llm"] {
  return { ...DEFAULTS.llm, ...server.llm(), ...changes };
}

/** Opens the model of a server. */
export function modelOf(
  server: LanguageServer,
  changes: Partial<Config["llm"]> = {},
): Promise<LanguageModel> {
  return openLanguageModel(llmConfig(server, changes));
}

/** A small request. */
export const REQUEST: ModelRequest = {
  task: "enrich",
  instructions: "Answer with JSON.",
  prompt: "Name the text.",
  maxOutputTokens: 200,
};

/** The form of its answer. */
export const NAMED = z.object({ title: z.string(), tags: z.array(z.string()).max(4) });

/** An answer to it in that form. */
export const ANSWER = { title: "茶 tea", tags: ["green", "绿"] };

/** Returns the message key of the failure of `work`, whose message must have all its values, or the value of `work`. */
export async function outcome<Value>(work: Promise<Value>): Promise<Value | string> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError)) return `${error}`;
    for (const language of ["zh", "en"] as const) {
      doesNotMatch(message(language, error.key, error.params), /\{\w+\}/);
    }
    return error.key;
  }
}
