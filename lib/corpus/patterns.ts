import ignore from "ignore";
import type { Ignore } from "ignore";
import { coarsen } from "./coarsen.ts";

/** A longer pattern is left out, where it comes from an ignore file. */
const MAX_LENGTH = 1_000;

/** More rules at once are left out, where they come from ignore files: each is asked for every file. */
const MAX_RULES = 2_000;

/** Whose patterns they are. */
export interface PatternOptions {
  readonly ignoreCase: boolean;
  /**
   * True for the user's own, which are taken as they are. False for those found in a folder, which somebody
   * else may have written: they must not be able to stop a walk. A pattern with too many wildcards is then
   * matched by a coarser one ({@linkcode coarsen}), so that nothing is taken which it leaves out; if it is
   * negated it is left out itself, to the same end.
   */
  readonly trusted: boolean;
}

/** Rules in the manner of `.gitignore`, for paths below a root. */
export class Patterns {
  readonly #rules: Ignore;
  readonly #options: PatternOptions;
  /** How many there are. */
  readonly #count: number;

  private constructor(rules: Ignore, options: PatternOptions, count: number) {
    this.#rules = rules;
    this.#options = options;
    this.#count = count;
  }

  /** No rules yet. */
  static create(options: PatternOptions): Patterns {
    return new Patterns(ignore({ ignoreCase: options.ignoreCase }), options, 0);
  }

  /**
   * These rules, then those of `lines`, which count from the folder `base` (empty for the root). Later rules
   * win. What cannot be understood is left out, and from ignore files what is longer than 1,000 characters, or more than
   * 2,000 rules.
   */
  with(lines: readonly string[], base: string): Patterns {
    const { ignoreCase, trusted } = this.#options;
    const rules = ignore({ ignoreCase }).add(this.#rules);
    let count = this.#count;
    for (const line of lines) {
      if (!trusted && count >= MAX_RULES) break;
      if (!trusted && line.length > MAX_LENGTH) continue;
      const whole = based(line, base);
      const pattern = trusted || whole === null ? whole : safe(whole);
      if (pattern !== null && isValid(pattern)) {
        rules.add({ pattern });
        count++;
      }
    }
    return new Patterns(rules, this.#options, count);
  }

  /**
   * Whether the last rule that matches `path`, or one of the folders it is in, names it. `path` has `/`
   * between its parts, and a folder's path one at its end.
   */
  matches(path: string): boolean {
    return this.#rules.ignores(path);
  }
}

/** The lines of an ignore file. */
export function patternLines(text: string): string[] {
  return text.replace(/^\ufeff/, "").split(/\r?\n/);
}

/** A rule of the folder `base` as a rule of the root; null for empty lines and comments. */
function based(line: string, base: string): string | null {
  if (line.trim() === "" || line.startsWith("#")) return null;
  if (base === "") return line;
  const negated = line.startsWith("!") ? "!" : "";
  const body = line.slice(negated.length);
  if (/^[/\s]*$/.test(body)) return null;
  // A slash before the end ties a rule to its folder; without one it holds at any depth.
  const tied = /\/(?=.*[^\s/])/.test(body);
  const literal = base.replace(/[\\*?[\]]/g, "\\$&");
  return `${negated}/${literal}/${tied ? "" : "**/"}${body.replace(/^\//, "")}`;
}

/** The pattern, or a coarser one where it could take long; null where that would take in more. */
function safe(pattern: string): string | null {
  if (!pattern.startsWith("!")) return coarsen(pattern);
  const body = pattern.slice(1);
  return coarsen(body) === body ? pattern : null;
}

function isValid(pattern: string): boolean {
  try {
    // Patterns are compiled when they are first used: that is when a bad one throws.
    ignore().add({ pattern }).ignores("x");
    return true;
  } catch {
    return false;
  }
}
