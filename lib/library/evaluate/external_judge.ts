/**
 * Answers measured by a program that the user names, such as a script with Ragas or DeepEval. It gets a line of JSON for each question on
 * its stdin, then the end of the input, and writes a line for each question to its stdout, in any order:
 *
 * ```text
 * in   {"id": "1", "question": "…", "answer": "…", "passages": ["…"], "reference": "…"}
 * out  {"id": "1", "metrics": {"faithfulness": 0.9, "bias": null}}   or   {"id": "1", "error": "…"}
 * ```
 */
import { UserError } from "#foundation/errors.ts";
import type { Connection, OpenConnection } from "#foundation/boundary/mod.ts";
import type { AnswerJudge, Sample, Values } from "./answers.ts";

const EXPECTED = '{"id": "1", "metrics": {"faithfulness": 0.9}}';

/** Time without a line after which the program is ended: one that answers all at once may need long. */
const SILENCE_MS = 30 * 60_000;
/** UTF-16 units of a line, metrics of a line, UTF-16 units of the name of one, and lines after which none may be blank. */
const LIMITS = { line: 1_000_000, metrics: 50, name: 100, blank: 100_000 } as const;
/** UTF-16 units of a line that a message shows. */
const SHOWN = 120;

interface ExternalOptions {
  /** Starts the program. */
  readonly open: OpenConnection;
  /** Called with the number of questions that the program could not measure, and what it said of one. */
  readonly onProblems?: (count: number, problem: string) => void;
  readonly silenceMs?: number;
}

/** Returns the judge that a program is. `name`: for tables and runs. Its methods throw `UserError` `eval_evaluator_…`. */
export function externalJudge(
  name: string,
  { open, onProblems = () => {}, silenceMs = SILENCE_MS }: ExternalOptions,
): AnswerJudge {
  return {
    name,
    async measure(samples, { signal, onDone = () => {} }) {
      const results = new Results(name, samples.length);
      await converse(open, linesFor(samples), {
        onLine: (line) => {
          results.add(line);
          onDone(results.done);
        },
        onSilence: () => new UserError("eval_evaluator_silent", { name, minutes: silenceMs / 60_000 }),
        onEnd: (reason, code) => {
          if (code === 0 && results.done === samples.length) return undefined;
          return new UserError("eval_evaluator_ended", {
            name,
            reason,
            done: results.done,
            total: samples.length,
          });
        },
        silenceMs,
        signal,
      });
      const [problem] = results.problems;
      if (problem !== undefined) onProblems(results.problems.length, problem);
      return results.values();
    },
  };
}

function linesFor(samples: readonly Sample[]): string {
  return samples.map(({ question, answer, passages, reference }, i) =>
    `${JSON.stringify({ id: String(i + 1), question, answer, passages, reference })}\n`
  ).join("");
}

/** The results that a program has written so far. */
class Results {
  readonly problems: string[] = [];
  readonly #name: string;
  readonly #values: (Record<string, number | null> | undefined)[];
  readonly #metrics = new Set<string>();
  #lines = 0;
  done = 0;

  constructor(name: string, total: number) {
    this.#name = name;
    this.#values = Array.from({ length: total }, () => undefined);
  }

  /** Reads a line of the output. Blank lines are skipped. Throws `UserError` `eval_evaluator_line`. */
  add(line: string): void {
    this.#lines++;
    // Blank lines without end would keep the program alive.
    if (line.trim() === "" && this.#lines < LIMITS.blank) return;
    const { id, metrics, error } = this.#parsed(line);
    const i = typeof id === "string" || typeof id === "number" ? Number(id) - 1 : NaN;
    if (!(i in this.#values) || this.#values[i] !== undefined) throw this.#wrong(line);
    if (typeof error === "string") {
      this.problems.push(error.slice(0, SHOWN));
      this.#values[i] = {};
    } else {
      const entries = typeof metrics === "object" && metrics !== null ? Object.entries(metrics) : undefined;
      const isRight = entries?.every(([name, value]) =>
        name !== "" && name.length <= LIMITS.name && (value === null || Number.isFinite(value))
      );
      if (entries === undefined || !isRight || entries.length > LIMITS.metrics) throw this.#wrong(line);
      this.#values[i] = Object.fromEntries(entries);
      for (const [name] of entries) this.#metrics.add(name);
    }
    this.done++;
  }

  /** The values of all samples. A metric that a sample lacks could not be computed. */
  values(): Values[] {
    return this.#values.map((own = {}) =>
      Object.fromEntries([...this.#metrics].map((metric) => [metric, own[metric] ?? null]))
    );
  }

  #parsed(line: string): Readonly<Record<string, unknown>> {
    // Python writes NaN and Infinity, which JSON does not have. In a string the line stays valid.
    for (const text of [line, line.replace(/(?<=[:,[]\s?)(?:NaN|-?Infinity)(?=\s?[,}\]])/g, "null")]) {
      try {
        const value = JSON.parse(text);
        if (typeof value === "object" && value !== null) return value;
      } catch {
        // The next form, or the error below.
      }
    }
    throw this.#wrong(line);
  }

  #wrong(line: string): UserError {
    const text = line.length > SHOWN ? `${line.slice(0, SHOWN)} …` : line;
    return new UserError("eval_evaluator_line", {
      name: this.#name,
      line: this.#lines,
      expected: EXPECTED,
      text,
    });
  }
}

interface Conversation {
  readonly onLine: (line: string) => void;
  readonly onSilence: () => Error;
  /** Returns the error that the end is, if it is one. */
  readonly onEnd: (reason: string, code: number | undefined) => Error | undefined;
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a text to a program and its end, and reads lines until the program ends. An error of a callback ends the program. */
function converse(
  open: OpenConnection,
  input: string,
  { onLine, onSilence, onEnd, silenceMs, signal }: Conversation,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  let rest = "";
  const fail = (error: unknown) => {
    connection.end();
    reject(error);
  };
  let timer = setTimeout(() => fail(onSilence()), silenceMs);
  const onAbort = () => fail(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const read = (text: string, isEnd: boolean) => {
    const lines = (rest + text).split("\n");
    rest = isEnd ? "" : lines.pop()!;
    for (const line of lines) onLine(line);
    if (rest.length > LIMITS.line) onLine(rest);
  };
  const connection: Connection = open({
    onData: (bytes) => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(onSilence()), silenceMs);
      try {
        read(decoder.decode(bytes, { stream: true }), false);
      } catch (error) {
        fail(error);
      }
    },
    onEnd: (reason, code) => {
      try {
        read(decoder.decode(), true);
        const error = onEnd(reason, code);
        if (error === undefined) resolve();
        else reject(error);
      } catch (error) {
        reject(error);
      }
    },
  });
  connection.send(new TextEncoder().encode(input));
  connection.close();
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
}
