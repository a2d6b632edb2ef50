import { UsageError } from "../errors.ts";
import { longForm, OPTIONS, TWO_LETTER_FORMS } from "./options.ts";
import type { FlagName } from "./options.ts";

/**
 * Writes the two-letter short forms (`-cl`, `-bp P`, `-bp=P`) as their long forms, since commander reads `-cl` as
 * `-c l`. For the same reason `-clean` or `-dir` would be taken for a value of `-c` or `-d`: they are refused with
 * `cli_unknown_option_suggest`. What follows `--` is left alone.
 */
export function rewriteArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const longForms = (Object.keys(OPTIONS) as FlagName[]).map(longForm);
  return argv.map((argument, at) => {
    if (end >= 0 && at >= end) return argument;
    const [name = "", ...value] = argument.split("=");
    const long = TWO_LETTER_FORMS[name];
    if (long !== undefined) return [long, ...value].join("=");
    if (longForms.includes(`-${name}`)) {
      throw new UsageError("cli_unknown_option_suggest", { flag: name, suggestion: `-${name}` });
    }
    return argument;
  });
}
