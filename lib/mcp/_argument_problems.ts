import type * as z from "zod";
import { type Language, message, type MessageKey, type MessageParams } from "../messages.ts";

/** Problems in one message, and characters of an argument's name in it. The rest is cut: it comes from the client. */
const MAX_PROBLEMS = 20;
const MAX_NAME_CHARS = 100;

/**
 * Returns one sentence for each wrong argument of a tool, in the user's language. `args` are the arguments that were checked;
 * they tell a missing argument from one of a wrong type.
 */
export function argumentProblems(
  language: Language,
  issues: readonly z.core.$ZodIssue[],
  args: Readonly<Record<string, unknown>>,
): string[] {
  // zod reports a number far out of range twice, the tool's limit last. The map keeps one sentence for each argument.
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const names = issue.code === "unrecognized_keys" ? issue.keys : [issue.path.join(".")];
    for (const name of names) {
      const [key, params] = problem(language, issue, args[name] === undefined);
      const shown = name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
      problems.set(name, message(language, key, { name: shown, ...params }));
      if (problems.size > MAX_PROBLEMS) return [...problems.values()].with(-1, "…");
    }
  }
  return [...problems.values()];
}

function problem(
  language: Language,
  issue: z.core.$ZodIssue,
  isMissing: boolean,
): [key: MessageKey, params?: MessageParams] {
  if (issue.code === "unrecognized_keys") return ["argument_unknown"];
  if (isMissing) return ["argument_missing"];
  switch (issue.code) {
    case "invalid_type": {
      // No tool takes a number with a fraction.
      const expected = issue.expected === "string" ? "argument_text" : "argument_whole_number";
      return ["argument_wrong_type", { expected: message(language, expected) }];
    }
    case "too_small":
      return issue.origin === "string"
        ? ["argument_empty"]
        : ["argument_too_small", { limit: String(issue.minimum) }];
    case "too_big":
      return [
        issue.origin === "string" ? "argument_too_long" : "argument_too_big",
        { limit: String(issue.maximum) },
      ];
    case "invalid_value":
      return ["argument_not_one_of", { choices: issue.values.join(", ") }];
    default:
      return ["argument_invalid"];
  }
}
