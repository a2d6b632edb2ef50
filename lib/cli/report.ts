import { UsageError, UserError } from "../errors.ts";
import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import type { Invocation } from "./parse.ts";
import { styleFor } from "./style.ts";

/** What is known of the run that ended in an error. */
interface Failed {
  readonly io: Io;
  readonly language: Language;
  /** `undefined` when the command line itself was wrong. */
  readonly invocation: Invocation | undefined;
}

/** Says on stderr (with `--json` on stdout as well) what went wrong, and gives the exit code. */
export async function report(error: unknown, { io, invocation, ...failed }: Failed): Promise<number> {
  // A configuration that cannot be used may still say in which language it wants to be told so.
  const spoken = error instanceof UsageError && "language" in error ? error.language : undefined;
  const language = spoken === "zh" || spoken === "en" ? spoken : failed.language;
  // The reader of `muxue_rag … | head` has what it wanted.
  if (error instanceof Deno.errors.BrokenPipe) return EXIT.done;
  if (error instanceof Interrupted) {
    io.err(`${message(language, invocation?.command === "index" ? "cli_stopped" : "cli_interrupted")}\n`);
    return EXIT.interrupted;
  }
  const text = errorText(error, language);
  const { red } = styleFor(io, "stderr");
  io.err(`${red(message(language, "cli_error", { text }))}\n`);
  if (invocation === undefined) {
    io.err(`${message(language, "cli_see_help", { command: "muxue_rag --help" })}\n`);
  }
  if (invocation && invocation.command !== "help" && invocation.flags.json) {
    await printJson({ io, language }, null, text, 500).catch(() => {});
  }
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** What went wrong, for a person. */
export function errorText(error: unknown, language: Language): string {
  if (error instanceof UserError) return message(language, error.key, error.params);
  return message(language, "cli_internal_error", {
    detail: error instanceof Error ? error.message : String(error),
  });
}
