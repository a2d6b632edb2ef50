/**
 * The prompts of language models: files in both languages that are part of the program, or files of the user in their place. A file
 * begins with its version and has two parts:
 *
 * ```
 * version: 1
 *
 * # instructions
 * …                             the system message
 * # request
 * … {{text}} …                  the user's message; `{{text}}` is replaced by a value between tags
 * # request chart
 * …                             the same for one kind of input, where a task tells them apart
 * ```
 * Every value stands between tags whose name ends in a random code (`{{code}}`), so that no text of a document can close them.
 */
import { join } from "node:path";
import { reasonOf, UserError } from "#foundation/errors.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { isMissing, readNamed, readProgramFile } from "#foundation/boundary/mod.ts";
import { cutToTokens, estimateTokens } from "#models/remote/mod.ts";
import type { ModelTask } from "./types.ts";

/** A task that has a prompt. */
export type PromptName = Exclude<ModelTask, "check">;

/** Every task that has a prompt. */
export const PROMPT_NAMES = [
  "refine",
  "enrich",
  "caption",
  "rewrite",
  "rerank",
  "verify",
  "judge",
  "answer",
] as const satisfies readonly PromptName[];

/** The values of a request by the names of their placeholders. The texts of a list stand in tags of their own, numbered from 1. */
export type PromptValues = Readonly<Record<string, string | readonly string[]>>;

/** Most bytes of a user's prompt. */
const MOST_BYTES = 64 * 1024;
/** The placeholder of the code in the tags. */
const CODE = "code";
/** Bytes of the code. */
const CODE_BYTES = 6;
/** Estimated tokens of the two tags around a value. */
const TAG_TOKENS = 16;
const VERSION = /^\uFEFF?version: (\S{1,40})$/;
const HEADING = /^# (instructions|request(?: [a-z]+)?)$/;
const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;

/** The prompt of a task. */
export interface Prompt {
  readonly name: PromptName;
  readonly language: Language;
  /** As the file names it. */
  readonly version: string;
  /** All of the file, for keys of results. */
  readonly text: string;
  readonly instructions: string;
  /** The user's message by kind of input; that without a kind is under `""`. */
  readonly requests: ReadonlyMap<string, string>;
}

/** A prompt with the values of a request. */
export interface FilledPrompt {
  readonly instructions: string;
  readonly prompt: string;
}

/**
 * Reads the prompt of a task: the file `TASK.LANGUAGE.md` in `folder`, or the program's where there is none. Throws `UserError`
 * `llm_prompt_unreadable` for a user's file that cannot be read, and `llm_prompt_wrong` and `llm_prompt_placeholder`, which name the
 * line, for one that cannot be used.
 */
export async function loadPrompt(
  name: PromptName,
  language: Language,
  folder: string | null = null,
): Promise<Prompt> {
  const file = `${name}.${language}.md`;
  const own = await readProgramFile(`lib/models/language/prompts/${file}`);
  const built = parsed(own, { name, language, path: file, known: undefined });
  if (folder === null) return built;
  const path = join(folder, file);
  const text = await readOwn(path);
  if (text === undefined) return built;
  const known = new Set([...built.requests.values()].flatMap(placeholdersOf));
  const prompt = parsed(text, { name, language, path, known });
  for (const kind of built.requests.keys()) {
    if (!prompt.requests.has(kind) && !prompt.requests.has("")) {
      throw wrong(path, 1, ["# request", kind].join(" ").trim());
    }
  }
  return prompt;
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const bytes = await readNamed(path, MOST_BYTES);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UserError("llm_prompt_unreadable", { path, error: reasonOf(error) }, { cause: error });
  }
}

interface PromptFile {
  readonly name: PromptName;
  readonly language: Language;
  readonly path: string;
  /** The placeholders that it may have; `undefined`: any. */
  readonly known: ReadonlySet<string> | undefined;
}

function parsed(text: string, { name, language, path, known }: PromptFile): Prompt {
  const lines = text.split(/\r?\n/);
  const [, version] = VERSION.exec(lines[0]!) ?? [];
  if (version === undefined) throw wrong(path, 1, "version: 1");
  const parts = new Map<string, string[]>();
  let part: string[] | undefined;
  let allowed: ReadonlySet<string> = new Set();
  for (const [i, line] of lines.entries()) {
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading !== undefined) parts.set(heading, part = []);
    else part?.push(line);
    if (known === undefined) continue;
    // The system message is the program's and the user's: no text of a document belongs there.
    if (heading !== undefined) allowed = heading === "instructions" ? new Set() : known;
    for (const found of wrongPlaceholders(line, allowed)) {
      const names = [...allowed, CODE].map((name) => `{{${name}}}`).join(", ");
      throw new UserError("llm_prompt_placeholder", { path, line: i + 1, name: found, names });
    }
  }
  const textOf = (heading: string) => parts.get(heading)?.join("\n").trim();
  const instructions = textOf("instructions");
  if (!instructions) throw wrong(path, lines.length, "# instructions");
  const headings = [...parts.keys()].filter((heading) => heading.startsWith("request"));
  const requests = new Map(headings.map((heading) => [heading.slice("request ".length), textOf(heading)!]));
  if (requests.size === 0) throw wrong(path, lines.length, "# request");
  return { name, language, version, text: lines.join("\n"), instructions, requests };
}

function wrong(path: string, line: number, expected: string): UserError {
  return new UserError("llm_prompt_wrong", { path, line, expected });
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim()).filter((name) => name !== CODE);
}

/** Returns the placeholders of a line that have no value, and the braces that are none. */
function wrongPlaceholders(line: string, known: ReadonlySet<string>): string[] {
  const unknown = placeholdersOf(line).filter((name) => !known.has(name)).map((name) => `{{${name}}}`);
  const rest = line.replace(PLACEHOLDER, "");
  return rest.includes("{{") || rest.includes("}}") ? [...unknown, line.trim()] : unknown;
}

/** Limits of the values of a request. */
export interface ValueLimits {
  /** Most tokens of all of them, and of the prompt around them. */
  readonly total: number;
  /** Most tokens of single values, and of each text of a list. */
  readonly each?: Readonly<Record<string, number>> | undefined;
}

/**
 * Returns the values that a request sends: each text cut to its limit, and the longest ones further until all fit. Estimated tokens
 * decide, so the result depends on nothing else.
 */
export function fittedValues(
  prompt: Prompt,
  kind: string,
  values: PromptValues,
  limits: ValueLimits,
): PromptValues {
  const request = requestOf(prompt, kind);
  const used = [...new Set(placeholdersOf(request))];
  const texts = used.flatMap((name) =>
    [values[name] ?? ""].flat().map((text) => {
      const cut = cutToTokens(text, limits.each?.[name] ?? Infinity);
      return { name, text: cut, tokens: estimateTokens(cut) };
    })
  );
  const around = estimateTokens(prompt.instructions) + estimateTokens(request) + TAG_TOKENS * texts.length;
  let left = Math.max(0, limits.total - around);
  // The shorter ones leave what they do not need to the longer ones.
  for (const [i, item] of texts.toSorted((a, b) => a.tokens - b.tokens).entries()) {
    const share = left / (texts.length - i);
    if (item.tokens > share) item.text = cutToTokens(item.text, share);
    left -= Math.min(item.tokens, share);
  }
  return Object.fromEntries(used.map((name) => {
    const own = texts.filter((item) => item.name === name).map(({ text }) => text);
    return [name, Array.isArray(values[name]) ? own : own[0] ?? ""];
  }));
}

/** Returns the messages of a request. `code`: letters and digits that no text can know. */
export function filledPrompt(
  prompt: Prompt,
  kind: string,
  values: PromptValues,
  code = crypto.getRandomValues(new Uint8Array(CODE_BYTES)).toHex(),
): FilledPrompt {
  const request = requestOf(prompt, kind).replace(PLACEHOLDER, (_, found: string) => {
    const name = found.trim();
    if (name === CODE) return code;
    const value = values[name] ?? "";
    return typeof value === "string"
      ? quoted(`${name}-${code}`, value)
      : value.map((text, i) => quoted(`${name}-${i + 1}-${code}`, text)).join("\n");
  });
  // A prompt of the user has no other placeholder there.
  return { instructions: prompt.instructions.replace(PLACEHOLDER, code), prompt: request };
}

function quoted(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

function requestOf({ requests }: Prompt, kind: string): string {
  return requests.get(kind) ?? requests.get("") ?? requests.values().next().value!;
}
