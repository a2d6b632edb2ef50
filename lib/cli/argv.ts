import { UsageError } from "../errors.ts";
import { findCommand } from "./commands/mod.ts";
import { longForm, OPTIONS, TWO_LETTER_FORMS } from "./options.ts";
import type { FlagName } from "./options.ts";

/** `-word` and `-"some words"`, but not `-d`, `-d=x`, `-d/notes`: those are short options. */
const EXCLUSION = /^-(?:["“「『]|\p{L}[^=/.~\\])/u;

/**
 * Writes the two-letter short forms (`-cl`, `-bp P`, `-bp=P`) as their long forms, since commander reads `-cl` as
 * `-c l`. For the same reason `-clean` or `-dir` would be taken for a value of `-c` or `-d`: they are refused with
 * `cli_unknown_option_suggest`. What follows `--` is left alone; there the words go that a query of `search` excludes
 * (`-draft`), which commander would take for options too.
 */
export function rewriteArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const after = end < 0 ? [] : argv.slice(end + 1);
  const longForms = (Object.keys(OPTIONS) as FlagName[]).map(longForm);
  const rewritten: string[] = [];
  const excluded: string[] = [];
  const query = before.findIndex((argument) => findCommand(argument)?.argument?.kind === "query");
  for (const [at, argument] of before.entries()) {
    const [name = "", ...value] = argument.split("=");
    const long = TWO_LETTER_FORMS[name];
    if (long !== undefined) rewritten.push([long, ...value].join("="));
    else if (longForms.includes(`-${name}`)) {
      throw new UsageError("cli_unknown_option_suggest", { flag: name, suggestion: `-${name}` });
    } else if (query >= 0 && at > query && EXCLUSION.test(argument) && !takesValue(before[at - 1]!)) {
      excluded.push(argument);
    } else rewritten.push(argument);
  }
  return end < 0 && excluded.length === 0 ? rewritten : [...rewritten, "--", ...excluded, ...after];
}

/** Whether what follows the argument is its value. */
function takesValue(argument: string): boolean {
  return Object.values(OPTIONS).some(({ flags }) => {
    const [names = "", value] = flags.split(" <");
    return value !== undefined && names.split(", ").includes(argument);
  });
}
