import type { EvaluationProgress } from "../../../evaluate/mod.ts";
import { type Language, message } from "../../../messages.ts";
import type { Context } from "../../context.ts";
import { cutToWidth } from "../../display_width.ts";
import { printableMessage } from "../../printable_message.ts";
import { barText } from "../../progress.ts";
import { type Progress, showProgress } from "../../show_progress.ts";

/** Starts to show the progress of an evaluation. */
export function startEvalProgress(context: Context, name: string): Promise<Progress<EvaluationProgress>> {
  const { language } = context;
  return showProgress(context, {
    line: (progress, columns) => lineText(progress, name, columns, language),
    step: (progress) => stepText(progress, name, language),
  });
}

function stepText(progress: EvaluationProgress, name: string, language: Language): string {
  switch (progress.step) {
    case "write":
      return printableMessage(language, "cli_eval_step_write", { name, total: progress.total });
    case "index":
      return printableMessage(language, "cli_eval_step_index", { name });
    case "vectors":
      return printableMessage(language, "cli_eval_step_vectors", { name, total: progress.total });
    case "query":
      return printableMessage(language, "cli_eval_step_query", {
        name,
        system: progress.system,
        total: progress.total,
      });
  }
}

function lineText(
  progress: EvaluationProgress,
  name: string,
  columns: number,
  language: Language,
): string {
  if (progress.step === "index") return barText(progress.ingest, 0, columns, language);
  const step = progress.step === "query"
    ? progress.system
    : message(language, `cli_eval_bar_${progress.step}`);
  const { done, total } = progress;
  return cutToWidth(printableMessage(language, "cli_eval_bar", { name, step, done, total }), columns);
}
