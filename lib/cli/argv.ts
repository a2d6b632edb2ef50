import { UsageError } from "../errors.ts";
import { findCommand } from "./commands/mod.ts";
import { type FlagName, longForm, OPTIONS, TWO_LETTER_FORMS } from "./options.ts";

/** Matches `-word` and `-"some words"`, but not the short options `-d`, `-d=x` and `-d/notes`. */
const EXCLUSION = /^-(?:["“「『]|\p{L}[^=/.~\\])/u;

/**
 * The arguments in a form that commander reads as meant. The two-letter short forms (`-cl`, `-bp P`, `-bp=P`) become long
 * forms, since commander reads `-cl` as `-c l`. The words that a query excludes (`-draft`) move behind `--`, since commander
 * would take them for options. Throws `UsageError` `cli_unknown_option_suggest` for `-clean` or `-dir`, which commander
 * would take for `-c` or `-d` with a value.
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

/** Whether the next argument is the value of this one. */
function takesValue(argument: string): boolean {
  return Object.values(OPTIONS).some(({ flags }) => {
    const [names = "", value] = flags.split(" <");
    return value !== undefined && names.split(", ").includes(argument);
  });
}
