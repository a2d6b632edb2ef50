/**
 * The arguments of a call, read as models write them.
 * Below it: names that were meant, values of another type, and a sentence for each problem.
 */
import * as z from "zod";
import { nearest } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { type Language, message, type MessageKey, type MessageParams } from "#foundation/messages/mod.ts";
import { MAX_ARGUMENT_CHARS, shapeProblem } from "./message_limits.ts";
import type { ToolInput } from "./tool.ts";

/** The checked arguments of a call. */
export interface ReadArguments {
  readonly args: z.output<z.ZodObject<ToolInput>>;
  /** A sentence that names the unknown arguments; absent if there are none. */
  readonly ignored?: string;
}

/**
 * Reads the arguments of a call as models write them: `"3"` for 3, `"true"` for true, one text for a list, JSON as text for
 * a list or an object, and `null` for an absent argument. Unknown arguments are ignored. Throws a {@linkcode UserError} that
 * names every other problem.
 */
export function readArguments(
  schema: z.ZodObject<ToolInput>,
  args: unknown,
  language: Language,
): ReadArguments {
  const known = Object.keys(schema.shape).join(", ");
  const long = longTexts(args ?? {}, language);
  if (long.length > 0) throw new UserError("bad_arguments", { problems: long.join("; "), known });
  const { given, unknown } = converted(schema, args ?? {});
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = [
      ...argumentProblems(language, parsed.error.issues, given, schema),
      ...meant(schema, given, unknown).map((names) => message(language, "argument_meant", names)),
    ];
    throw new UserError("bad_arguments", { problems: problems.join("; "), known });
  }
  if (unknown.length === 0) return { args: parsed.data };
  const ignored = message(language, "arguments_ignored", { names: shownNames(unknown), known });
  return { args: parsed.data, ignored };
}

/** A sentence for each argument with a text that is too long to be converted, compared and repeated. */
function longTexts(args: object, language: Language): string[] {
  const lengthOf = (value: unknown): number => {
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 0;
    return Object.values(value).reduce((most, one) => Math.max(most, lengthOf(one)), 0);
  };
  const limit = MAX_ARGUMENT_CHARS;
  return Object.entries(args).map(([name, value]) => ({ name: shownNames([name]), found: lengthOf(value) }))
    .filter(({ found }) => found > limit).slice(0, MOST_MEANT)
    .map(({ name, found }) => message(language, "argument_text_too_long", { name, limit, found }));
}

const QUESTIONS = ["q", "question", "text", "search", "keywords"];
const FILES = ["path", "file", "filename", "document", "uri", "source"];

/** Names that models write for an argument of another name. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  keyword: ["query", ...QUESTIONS],
  query: ["keyword", ...QUESTIONS],
  "file_path": [...FILES, "doc_id"],
  "doc_id": [...FILES, "file_path"],
  "chunk_id": ["id", "chunk", "passage"],
  paths: ["path", "file_path", "files", "file_paths", "documents"],
};

/** The unknown names of a wrong call that may stand for a missing argument, with its name: by their sense, or misspelt. */
function meant(
  schema: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  unknown: readonly string[],
): { readonly name: string; readonly known: string }[] {
  const missing = Object.keys(schema.shape).filter((name) => given[name] === undefined);
  return unknown.slice(0, MOST_MEANT).flatMap((name) => {
    if (name.length > MAX_NAME_CHARS) return [];
    const known = missing.find((one) => SYNONYMS[one]?.includes(name.toLowerCase())) ??
      nearest(name, missing);
    return known === undefined ? [] : [{ name, known }];
  });
}

/** Unknown names that are compared with the known ones, and characters of such a name. They come from the client. */
const MOST_MEANT = 5;
const MAX_NAME_CHARS = 40;

/** The arguments that a schema knows, in the types that it wants if that is possible, and the names of the others. */
function converted(
  schema: z.ZodObject,
  args: object,
): { readonly given: Record<string, unknown>; readonly unknown: readonly string[] } {
  const given: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(schema.shape, name)) unknown.push(name);
    else if (value !== null) {
      const wanted = inner(schema.shape[name] as z.ZodType);
      const plain = convertedValue(wanted, value);
      if (wanted instanceof z.ZodObject && wanted.def.catchall === undefined && isRecord(plain)) {
        const inside = converted(wanted, plain);
        given[name] = inside.given;
        unknown.push(...inside.unknown.map((key) => `${name}.${key}`));
      } else given[name] = plain;
    }
  }
  return { given, unknown };
}

function convertedValue(wanted: unknown, value: unknown): unknown {
  if (wanted instanceof z.ZodNumber) return toNumber(value, isWhole(wanted));
  if (wanted instanceof z.ZodBoolean) return value === "true" ? true : value === "false" ? false : value;
  if (wanted instanceof z.ZodArray) {
    const list = fromJson(value);
    const items = Array.isArray(list) ? list : typeof value === "string" ? [value] : value;
    return Array.isArray(items) ? items.map((item) => convertedValue(inner(wanted.element), item)) : items;
  }
  if (wanted instanceof z.ZodObject) return fromJson(value);
  if (Array.isArray(value) && value.length === 1 && !Array.isArray(value[0])) {
    return convertedValue(wanted, value[0]);
  }
  return typeof value === "number" && wanted instanceof z.ZodString ? String(value) : value;
}

/** The number that a text writes. Other values are returned as they are. */
function toNumber(value: unknown, isWhole: boolean): unknown {
  const pattern = isWhole ? /^\s*-?\d{1,15}\s*$/ : /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/;
  return typeof value === "string" && pattern.test(value) ? Number(value) : value;
}

/** The list or object that a text writes as JSON. Other values are returned as they are. */
function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  // In a text, the limits of the message have not seen it.
  if (shapeProblem(value) !== undefined) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function inner(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? inner(schema.unwrap()) : schema;
}

function isWhole(schema: unknown): boolean {
  return schema instanceof z.ZodNumber && schema.format === "safeint";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Problems in one message, and characters of an argument's name in it. The rest is cut: it comes from the client. */
const MAX_PROBLEMS = 20;
const MAX_SHOWN_NAME = 100;

/** One sentence for each wrong argument; `args`, as checked, tell a missing one from one of a wrong type. */
function argumentProblems(
  language: Language,
  issues: readonly z.core.$ZodIssue[],
  args: Readonly<Record<string, unknown>>,
  schema: z.ZodObject<ToolInput>,
): string[] {
  // zod reports a number far out of range twice, the tool's limit last. The map keeps one sentence for each argument.
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const name = issue.path.join(".");
    const [key, params] = issue.path.length === 1 && args[name] === undefined
      ? ["argument_missing"] as const
      : problem(language, issue, isWhole(inner(schema.shape[name])));
    problems.set(name, message(language, key, { name: shownName(name), ...params }));
    if (problems.size > MAX_PROBLEMS) return [...problems.values()].with(-1, "…");
  }
  return [...problems.values()];
}

/** Names of arguments that no tool knows, as a notice shows them. */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_PROBLEMS).map(shownName);
  return [...shown, ...(names.length > MAX_PROBLEMS ? ["…"] : [])].join(", ");
}

function shownName(name: string): string {
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
}

const EXPECTED: Readonly<Record<string, MessageKey>> = {
  string: "argument_text",
  boolean: "argument_boolean",
  array: "argument_list",
  object: "argument_object",
  int: "argument_whole_number",
};

function problem(
  language: Language,
  issue: z.core.$ZodIssue,
  isWhole: boolean,
): readonly [key: MessageKey, params?: MessageParams] {
  switch (issue.code) {
    case "invalid_type": {
      const expected = isWhole ? "argument_whole_number" : EXPECTED[issue.expected] ?? "argument_number";
      return ["argument_wrong_type", { expected: message(language, expected) }];
    }
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? ["argument_empty"]
        : ["argument_too_small", { limit: String(issue.minimum) }];
    case "too_big": {
      const key = issue.origin === "string" ? "argument_too_long" : "argument_too_many";
      const isSize = issue.origin === "string" || issue.origin === "array";
      return [isSize ? key : "argument_too_big", { limit: String(issue.maximum) }];
    }
    case "invalid_value":
      return ["argument_not_one_of", { choices: issue.values.join(", ") }];
    default:
      return ["argument_invalid"];
  }
}
