/** The command `eval draft`: questions about a folder, as lines that a person accepts for `eval`. */
import { askedAbout, draftQuestions } from "#library/evaluate/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { openReady, openStore } from "#library/store/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { type Language, printableJson } from "#foundation/messages/mod.ts";
import { EXIT } from "../context.ts";
import type { Session } from "../request.ts";
import { note } from "../say.ts";
import { judgingModel } from "./eval_answers.ts";
import { oneRoot } from "../targets.ts";
import { updateIndex } from "../update_index.ts";

/** `eval draft DIR`: updates the index and prints proposed questions as JSON lines. Throws `UserError` `eval_draft_none`. */
export async function draft(session: Session): Promise<number> {
  const { io, config, indexKey: key, indexDirs, signal } = session;
  const root = oneRoot(session);
  await updateIndex(session, root, { before: "search" });
  using index = await openReady(openStore(config, root, session));
  const library = openLibrary([root], config, { key, indexDirs });
  try {
    const model = await judgingModel(session, root);
    const ask = model &&
      ((passage: string, language: Language) => askedAbout(model.generator, passage, language, signal));
    const questions = await draftQuestions(index, await library.catalog(), { signal, ask });
    model?.tellFailures();
    if (questions.length === 0) throw new UserError("eval_draft_none", { dir: root });
    await io.out(questions.map((question) => `${printableJson(JSON.stringify(question))}\n`).join(""));
    note(session, "cli_eval_drafted", { count: questions.length });
    return EXIT.done;
  } finally {
    library.close();
  }
}
