/** The part of the command `eval` that measures claims: how well passages that support them are told from others. */
import {
  type ClaimSet,
  evaluateSupport,
  parseSupportThreshold,
  SUPPORT_METRICS,
  type SupportResult,
  supportShortfalls,
} from "#library/evaluate/mod.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { EXIT } from "../context.ts";
import { columnTable, figure } from "../output.ts";
import type { Session } from "../request.ts";
import { printableMessage, printJson } from "../say.ts";
import { type Style, styleFor } from "../terminal_text.ts";

/** Measures each set and prints a table. Fails where a `--min` is not reached. */
export async function supportEvaluation(session: Session, sets: readonly ClaimSet[]): Promise<number> {
  const { io, flags, language, signal } = session;
  const thresholds = (flags.min ?? []).map(parseSupportThreshold);
  const results: SupportResult[] = [];
  for (const set of sets) results.push(await evaluateSupport(set, { signal }));
  const failures = results.flatMap((result) => supportShortfalls(thresholds, result)).map((shortfall) =>
    printableMessage(language, "cli_eval_claims_shortfall", {
      ...shortfall,
      reached: figureOf(shortfall.reached),
    })
  );
  const failed = failures.length > 0;
  if (flags.json) {
    const text = failed ? failures.join("\n") : message(language, "cli_done");
    await printJson(session, { claims: results }, text, failed ? 500 : 200);
  } else {
    await io.out(supportTable(results, language, styleFor(io, "stdout")));
  }
  const { red } = styleFor(io, "stderr");
  for (const text of failures) io.err(`${red(text)}\n`);
  return failed ? EXIT.failed : EXIT.done;
}

function supportTable(results: readonly SupportResult[], language: Language, style: Style): string {
  const header = [
    message(language, "cli_eval_claims"),
    message(language, "cli_eval_claims_count"),
    message(language, "cli_eval_claims_supported"),
    "AUC",
    message(language, "cli_eval_claims_accuracy"),
    message(language, "cli_eval_claims_precision"),
    message(language, "cli_eval_claims_recall"),
    message(language, "cli_eval_milliseconds"),
  ];
  const rows = results.map((result) => [
    printable(result.name),
    String(result.claims),
    String(result.supported),
    ...SUPPORT_METRICS.map((metric) => figureOf(result[metric])),
    result.milliseconds.toFixed(1),
  ]);
  return columnTable([header, ...rows], style);
}

function figureOf(value: number | null): string {
  return value === null ? "–" : figure(value);
}
