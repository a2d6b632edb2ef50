import { Option } from "commander";
import { UsageError } from "../errors.ts";
import { type FlagName, longForm, OPTIONS } from "./options.ts";

/** A flag as an option of commander. A wrong value throws `UsageError` while it is parsed. */
export function optionFor(flag: FlagName, description: string): Option {
  const { flags, choices, range, repeatable } = OPTIONS[flag];
  const option = new Option(flags, description);
  // commander takes `--no-update` for the negation of `--update`. Here it is a separate flag.
  option.negate = false;
  if (!option.required) return option;
  const long = longForm(flag);
  return option.argParser((value: string, previous: unknown) => {
    // commander takes the next argument for the value, whatever it is: `--dir --full` would name a directory `--full`.
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
