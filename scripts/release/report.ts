/** `missing`: it cannot be made or checked on this machine. */
export type Outcome = "ok" | "wrong" | "missing";

/** One thing that was checked. */
export interface Row {
  /** The file or part. */
  readonly part: string;
  readonly check: string;
  readonly outcome: Outcome;
  /** The figures or the reason. */
  readonly detail: string;
}

/** The rows of a check, in order. */
export class Report {
  readonly rows: Row[] = [];

  add(part: string, check: string, outcome: Outcome, detail = ""): void {
    this.rows.push({ part, check, outcome, detail });
  }

  /** Adds a row for `work`: its text, or `wrong` with its error. An {@linkcode Impossible} makes the row `missing`. */
  async try(part: string, check: string, work: () => Promise<string> | string): Promise<void> {
    try {
      this.add(part, check, "ok", await work());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.add(
        part,
        check,
        error instanceof Impossible ? "missing" : "wrong",
        reason.trim().replace(/\s*\n\s*/g, "; "),
      );
    }
  }

  /** The number of rows with an outcome. */
  count(outcome: Outcome): number {
    return this.rows.filter((row) => row.outcome === outcome).length;
  }

  /** The rows as a table, and a line with their number. */
  toString(): string {
    const words = { ok: "ok", wrong: "WRONG", missing: "not here" };
    const cells = this.rows.map(({ part, check, outcome, detail }) => [part, check, words[outcome], detail]);
    const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
    const lines = cells.map((row) =>
      row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ").trimEnd()
    );
    const [ok, wrong, missing] = (["ok", "wrong", "missing"] as const).map((outcome) => this.count(outcome));
    return `${lines.join("\n")}\n\n${ok} ok, ${wrong} wrong, ${missing} not made or not checked here\n`;
  }
}

/** Thrown where this machine cannot make or check something. */
export class Impossible extends Error {
  override readonly name = "Impossible";
}

/** Throws an error with `found` and `expected` unless they are the same. */
export function same(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`);
}
