import ignore from "ignore";
import type { Ignore } from "ignore";

/** A longer pattern is left out. */
const MAX_LENGTH = 1_000;
/**
 * A failing match tries every place where a wildcard can end, so its time grows with the power of their
 * number: `*a*a*a*a*a*a*` in a downloaded folder would stop the walk for hours. More wildcards than these, in
 * one part of the path and of the kind that spans parts, and the pattern is left out.
 */
const MAX_STARS_IN_PART = 3;
const MAX_DOUBLE_STARS = 3;

/** Rules in the manner of `.gitignore`, for paths below a root. */
export class Patterns {
  readonly #rules: Ignore;
  readonly #ignoreCase: boolean;

  private constructor(rules: Ignore, ignoreCase: boolean) {
    this.#rules = rules;
    this.#ignoreCase = ignoreCase;
  }

  /** No rules yet. */
  static create(ignoreCase: boolean): Patterns {
    return new Patterns(ignore({ ignoreCase }), ignoreCase);
  }

  /**
   * These rules, then those of `lines`, which count from the folder `base` (empty for the root). Later rules
   * win. What the library cannot take is left out.
   */
  with(lines: readonly string[], base: string): Patterns {
    const rules = ignore({ ignoreCase: this.#ignoreCase }).add(this.#rules);
    for (const line of lines) {
      const pattern = based(line, base);
      if (pattern !== null && isSafe(pattern)) rules.add({ pattern });
    }
    return new Patterns(rules, this.#ignoreCase);
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

function isSafe(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  if ((pattern.match(/\*\*+/g)?.length ?? 0) > MAX_DOUBLE_STARS) return false;
  if (pattern.split("/").some((part) => (part.match(/\*+/g)?.length ?? 0) > MAX_STARS_IN_PART)) return false;
  try {
    // Patterns are compiled when they are first used: that is when a bad one throws.
    ignore().add({ pattern }).ignores("x");
    return true;
  } catch {
    return false;
  }
}
