import type { EvaluationProgress } from "../../../evaluate/mod.ts";
import { message } from "../../../messages.ts";
import type { Language } from "../../../messages.ts";
import type { Context } from "../../context.ts";
import { cutToWidth } from "../../display_width.ts";
import { printableMessage } from "../../printable_message.ts";
import { barText, drawsLines } from "../../progress.ts";
import { startStatusLine } from "../../status_line.ts";

/** Shows the progress of an evaluation. */
export interface EvalProgress extends Disposable {
  readonly update: (progress: EvaluationProgress) => void;
}

/** Starts to show progress: a line that is redrawn on a terminal, one line for each step elsewhere, nothing with `--quiet`. */
export async function startEvalProgress(context: Context, name: string): Promise<EvalProgress> {
  const { io, flags, language } = context;
  if (flags.quiet) return { update: () => {}, [Symbol.dispose]: () => {} };
  return drawsLines(io) ? await line(name, language) : steps(context, name);
}

function steps({ io, language }: Context, name: string): EvalProgress {
  let before: string | undefined;
  return {
    update: (progress) => {
      const text = stepText(progress, name, language);
      if (text !== before) io.err(`${text}\n`);
      before = text;
    },
    [Symbol.dispose]: () => {},
  };
}

function stepText(progress: EvaluationProgress, name: string, language: Language): string {
  switch (progress.step) {
    case "write":
      return printableMessage(language, "cli_eval_step_write", { name, total: progress.total });
    case "index":
      return printableMessage(language, "cli_eval_step_index", { name });
    case "query":
      return printableMessage(language, "cli_eval_step_query", {
        name,
        system: progress.system,
        total: progress.total,
      });
  }
}

async function line(name: string, language: Language): Promise<EvalProgress> {
  let state: EvaluationProgress | undefined;
  const drawn = await startStatusLine((columns) => {
    if (state === undefined) return "";
    if (state.step === "index") return barText(state.ingest, 0, columns, language);
    const step = state.step === "write" ? message(language, "cli_eval_bar_write") : state.system;
    const { done, total } = state;
    return cutToWidth(printableMessage(language, "cli_eval_bar", { name, step, done, total }), columns);
  });
  return {
    update: (progress) => {
      state = progress;
      drawn.redraw();
    },
    [Symbol.dispose]: () => drawn[Symbol.dispose](),
  };
}
