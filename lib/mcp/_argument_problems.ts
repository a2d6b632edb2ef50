import type * as z from "zod";
import { type Language, message, type MessageKey, type MessageParams } from "../messages.ts";

/** Problems in one message, and characters of an argument's name in it. The rest is cut: it comes from the client. */
const MAX_PROBLEMS = 20;
const MAX_NAME_CHARS = 100;

/**
 * Returns one sentence for each wrong argument of a tool, in the user's language. `args` are the arguments that were
 * checked; they tell a missing argument from one of a wrong type. `wholeNumbers`: names of the arguments that must be whole
 * numbers.
 */
export function argumentProblems(
  language: Language,
  issues: readonly z.core.$ZodIssue[],
  args: Readonly<Record<string, unknown>>,
  wholeNumbers: ReadonlySet<string>,
): string[] {
  // zod reports a number far out of range twice, the tool's limit last. The map keeps one sentence for each argument.
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const name = issue.path.join(".");
    const isMissing = issue.path.length === 1 && args[name] === undefined;
    const [key, params] = problem(language, issue, { isMissing, isWhole: wholeNumbers.has(name) });
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
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
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
  { isMissing, isWhole }: { readonly isMissing: boolean; readonly isWhole: boolean },
): [key: MessageKey, params?: MessageParams] {
  if (isMissing) return ["argument_missing"];
  switch (issue.code) {
    case "invalid_type": {
      const expected = isWhole ? "argument_whole_number" : EXPECTED[issue.expected] ?? "argument_number";
      return ["argument_wrong_type", { expected: message(language, expected) }];
    }
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? ["argument_empty"]
        : ["argument_too_small", { limit: String(issue.minimum) }];
    case "too_big":
      return [
        issue.origin === "string"
          ? "argument_too_long"
          : issue.origin === "array"
          ? "argument_too_many"
          : "argument_too_big",
        { limit: String(issue.maximum) },
      ];
    case "invalid_union":
      return ["argument_invalid"];
    case "invalid_value":
      return ["argument_not_one_of", { choices: issue.values.join(", ") }];
    default:
      return ["argument_invalid"];
  }
}
