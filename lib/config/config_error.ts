import { UsageError } from "../errors.ts";
import type { Language } from "../messages.ts";

/** All problems of a configuration. */
export class ConfigError extends UsageError {
  /** One line each, `file:line:column key: …`, in {@linkcode language}. */
  readonly problems: readonly string[];
  /** The language that the configuration asks for, or the default. */
  readonly language: Language;

  constructor(problems: readonly string[], language: Language, count: number = problems.length) {
    super("config_invalid", { count, problems: problems.join("\n") });
    this.problems = problems;
    this.language = language;
  }
}
