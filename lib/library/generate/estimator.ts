/** The requests of a run to a language model, counted without asking: calls, tokens, pictures, and what is kept already. */
import * as z from "zod";
import type { Language } from "#foundation/messages/mod.ts";
import {
  countTokens,
  filledPrompt,
  imageTokens,
  type LanguageModel,
  type PromptName,
} from "#models/language/mod.ts";
import { type GeneratedTask, Generator, type GeneratorOptions, type KeptResults } from "./generator.ts";

/** The requests of a task. */
export interface TaskEstimate {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** Values that are kept already, or were rejected. */
  readonly kept: number;
}

const NOTHING: TaskEstimate = { calls: 0, inputTokens: 0, outputTokens: 0, images: 0, kept: 0 };
/** The part of the longest answer that answers take, where a task does not say more. */
const USUAL_SHARE = 0.3;
/** Tokens around the messages of a request. */
const MESSAGE_TOKENS = 8;
/** The part of a schema that counts: servers that hold to it count little of it, for others it stands in the request. */
const SCHEMA_SHARE = 0.5;

/**
 * Does what a {@linkcode Generator} does, but counts requests in the place of sending them. Every value that is not kept yet counts as a
 * failure. Nothing is written.
 */
export class Estimator extends Generator {
  readonly #estimates = new Map<PromptName, TaskEstimate>();
  /** The requests that were counted, and the values that are kept: each once. */
  readonly #asked = new Set<string>();
  readonly #kept = new Set<string>();

  constructor(store: KeptResults, model: LanguageModel, options: GeneratorOptions = {}) {
    super({ get: (key) => store.get(key), set: () => Promise.resolve() }, model, options);
  }

  /** The requests of each task, in the order in which the tasks began. */
  get estimates(): ReadonlyMap<PromptName, TaskEstimate> {
    return this.#estimates;
  }

  override async isDone<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<boolean> {
    const isDone = await super.isDone(task, input, language);
    const { key } = await this.plan(task, input, language);
    if (isDone && !this.#kept.has(key)) this.#add(task.name, { ...NOTHING, kept: 1 });
    if (isDone) this.#kept.add(key);
    return isDone;
  }

  override async make<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
    signal?: AbortSignal,
  ): Promise<Value | undefined> {
    signal?.throwIfAborted();
    if (await this.isDone(task, input, language)) return await this.known(task, input, language);
    const { key, prompt, kind, values } = await this.plan(task, input, language);
    if (this.#asked.has(key)) return undefined;
    this.#asked.add(key);
    const { instructions, prompt: request } = filledPrompt(prompt, kind, values);
    const images = task.images?.(input) ?? [];
    const schema = JSON.stringify(z.toJSONSchema(task.schema, { unrepresentable: "any" }));
    const texts = [instructions, request].map(countTokens);
    this.#add(task.name, {
      calls: 1,
      inputTokens: Math.round(
        texts[0]! + texts[1]! + MESSAGE_TOKENS + SCHEMA_SHARE * countTokens(schema) +
          imageTokens(images, this.model.id),
      ),
      outputTokens: Math.round(task.usualTokens ?? task.maxOutputTokens * USUAL_SHARE),
      images: images.length,
      kept: 0,
    });
    return undefined;
  }

  #add(name: PromptName, more: TaskEstimate): void {
    const sum = this.#estimates.get(name) ?? NOTHING;
    this.#estimates.set(name, {
      calls: sum.calls + more.calls,
      inputTokens: sum.inputTokens + more.inputTokens,
      outputTokens: sum.outputTokens + more.outputTokens,
      images: sum.images + more.images,
      kept: sum.kept + more.kept,
    });
  }
}
