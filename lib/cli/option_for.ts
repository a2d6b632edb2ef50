import { Option } from "commander";
import { UsageError } from "../errors.ts";
import { longForm, OPTIONS } from "./options.ts";
import type { FlagName } from "./options.ts";

/** A flag as commander wants it; its value is checked as it is read, and refused by `UsageError`. */
export function optionFor(flag: FlagName, description: string): Option {
  const { flags, choices, range, repeatable } = OPTIONS[flag];
  const option = new Option(flags, description);
  // commander takes `--no-update` for the opposite of an `--update`: here it is a flag of its own.
  option.negate = false;
  if (!option.required) return option;
  const long = longForm(flag);
  return option.argParser((value: string, previous: unknown) => {
    // commander takes whatever follows for the value, so that `--dir --full` would name a directory `--full`.
    if (value.startsWith("--")) throw new UsageError("cli_option_value_missing", { flag: long });
    if (choices && !choices.includes(value)) {
      throw new UsageError("cli_bad_choice", { flag: long, value, choices: choices.join(", ") });
    }
    if (range) {
      const { min, max } = range;
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      if (!(number >= min && number <= max)) {
        throw new UsageError("cli_bad_number", { flag: long, value, min, max });
      }
      return number;
    }
    return repeatable ? [...(previous as string[] | undefined ?? []), value] : value;
  });
}
