import type { z } from "zod";
import { WordFinder } from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { enrichTask, Generator, Grounding } from "#library/generate/mod.ts";
import { type GeneratedSummary, makeGenerated } from "#library/ingest/generation/mod.ts";
import type { Answered, LanguageModel, ModelRequest } from "#models/language/mod.ts";
import { type Place, TABLE } from "../_place.ts";

/** The task with the built-in table. */
const ENRICH = enrichTask(() => new Grounding(TABLE.get(), new WordFinder(TABLE.get())));

/** A model that answers as `answer` says, which gets the passage, or the whole request of another task. */
export class WriterModel implements LanguageModel {
  readonly origin = "http://127.0.0.1:1";
  readonly isLocal = true;
  readonly contextTokens = 8192;
  readonly parameters = "temperature 0";
  concurrency = 2;
  /** The passages that were asked about, or whole requests of other tasks. */
  readonly asked: string[] = [];

  constructor(
    readonly answer: (passage: string) => unknown,
    readonly id = "test/writer",
    readonly before: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
  ) {}

  async object<Value>({ prompt, signal }: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>> {
    const passage = /<text-\w+>\n([\s\S]*)\n<\/text-/.exec(prompt)?.[1] ?? prompt;
    this.asked.push(passage);
    await this.before();
    signal?.throwIfAborted();
    const { success, data } = schema.safeParse(this.answer(passage));
    if (!success) throw new UserError("llm_failed");
    return { value: data, usage: { inputTokens: 10, outputTokens: 2, isEstimated: false, calls: 1 } };
  }

  text(): Promise<Answered<string>> {
    throw new TypeError("not asked for");
  }
}

/** Makes what is missing of a folder. Returns the summary and the number of requests. */
export async function make(
  { store }: Place,
  model: WriterModel,
  signal?: AbortSignal,
): Promise<GeneratedSummary & { readonly calls: number }> {
  const before = model.asked.length;
  const generator = new Generator(store.generated, model);
  const summary = await makeGenerated(store, generator, ENRICH, signal && { signal });
  return { ...summary, calls: model.asked.length - before };
}
