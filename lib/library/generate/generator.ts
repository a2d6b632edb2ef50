/**
 * Texts that language models make for a collection: a task with a form of its answer, a cache by everything that decides the answer, and the
 * calls, which fail without doing harm.
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { UserError } from "#foundation/errors.ts";
import type { Language, MessageKey } from "#foundation/messages/mod.ts";
import {
  filledPrompt,
  fittedValues,
  imageTokens,
  type LanguageModel,
  loadPrompt,
  type ModelImage,
  NO_USAGE,
  type Prompt,
  type PromptName,
  type PromptValues,
  Slots,
  sumOfUsage,
  type Usage,
} from "#models/language/mod.ts";
import type { GeneratedTexts } from "#library/store/mod.ts";

/** Something that a model makes of an input. */
export interface GeneratedTask<Input, Value> {
  /** The prompt, and what the request is for. */
  readonly name: PromptName;
  /** Version of the schema and of the check. Another one makes all results anew. */
  readonly version: number;
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens: number;
  /** Tokens that answers mostly have, for estimates. */
  readonly usualTokens?: number;
  /** The values of the prompt's placeholders. */
  readonly values: (input: Input) => PromptValues;
  /** The kind of the input: which of the prompt's requests is sent. Default: that without a kind. */
  readonly kind?: (input: Input) => string;
  /** Most tokens of single values. Default: as many as the model's window has room for, at most {@linkcode MOST_INPUT}. */
  readonly valueTokens?: Readonly<Record<string, number>>;
  readonly images?: (input: Input) => readonly ModelImage[];
  /** Stands for the input in the key of its result, where not all of it decides. Default: kind, values and pictures. */
  readonly identity?: (input: Input) => string;
  /** Failures after which an input is not asked about again. Default: the model has refused. */
  readonly rejectedBy?: readonly string[];
  /** Returns the value that is kept, without what the input does not support; `undefined` rejects all of it. */
  readonly checked?: (value: Value, input: Input) => Value | undefined;
}

/** Most tokens of a request, also where the model's window is larger. */
const MOST_INPUT = 24_000;
/** Part of the window that stays free, because tokens are estimated. */
const RESERVE = 0.15;
/** Failures that end the making of a run: every further call would fail the same way. */
const FINAL: ReadonlySet<string> = new Set<string>([
  "llm_budget_run",
  "llm_budget_day",
  "llm_key_missing",
  "llm_unauthorized",
  "llm_quota",
  "llm_unknown_model",
  "llm_wrong_address",
  "llm_refused",
  "llm_unknown_host",
  "llm_certificate",
  "llm_not_tls",
]);
/** The failure of a model that does not want to answer. */
const REFUSED: string = "llm_refusal";
/** Failures in a row after which the server counts as down. */
const MOST_FAILURES = 8;
/** The failure of a server that does not answer in time, and how many of them in a row suffice: each costs a timeout. */
const LATE: string = "llm_timeout", MOST_LATE = 3;

/** Options of a {@linkcode Generator}. */
export interface GeneratorOptions {
  /** Folder of the user's prompts. */
  readonly prompts?: string | null;
  /** Gets the keys of all requests that were looked up or made. */
  readonly used?: Set<string> | undefined;
  /** Told of each failure, for the log. */
  readonly onFailure?: (failure: unknown, task: PromptName) => void;
}

/** A request as it would be sent, and the key of its result. */
export interface PlannedRequest {
  readonly key: string;
  readonly prompt: Prompt;
  readonly kind: string;
  readonly values: PromptValues;
}

/** Where the results of earlier calls lie. */
export type KeptResults = Pick<GeneratedTexts, "get" | "set">;

/**
 * Makes values for one collection in one run, and keeps them. There is one only with the user's consent to the model's server. Equal
 * requests at the same time are one call. A failure is counted and never thrown.
 */
export class Generator {
  readonly model: LanguageModel;
  readonly #store: KeptResults;
  readonly #options: GeneratorOptions;
  readonly #prompts = new Map<string, Promise<Prompt>>();
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #slots: Slots;
  readonly #failures = new Map<string, number>();
  #usage: Usage = NO_USAGE;
  #failuresInARow = 0;
  #lateInARow = 0;
  #ended: UserError | undefined;

  constructor(store: KeptResults, model: LanguageModel, options: GeneratorOptions = {}) {
    this.#store = store;
    this.model = model;
    this.#options = options;
    this.#slots = new Slots(model.concurrency);
  }

  /** How often each failure came, by the key of its message. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  /** The usage of all calls. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Why nothing more is made in this run, such as a used-up budget. */
  get ended(): UserError | undefined {
    return this.#ended;
  }

  /** Returns the value that was made before; `undefined` if there is none. Connects to nothing. */
  async known<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<Value | undefined> {
    const { key } = await this.plan(task, input, language);
    return (await this.#kept(task, input, key))?.value;
  }

  /** Returns whether nothing is to be asked for an input: its value is kept, or it was rejected. Connects to nothing. */
  async isDone<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<boolean> {
    const { key } = await this.plan(task, input, language);
    return await this.#kept(task, input, key) !== undefined;
  }

  /** Returns whether an answer was rejected, or refused. Connects to nothing. */
  async isRejected<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<boolean> {
    const { key } = await this.plan(task, input, language);
    return (await this.#kept(task, input, key))?.isRejected === true;
  }

  /**
   * Returns the value that was made before, or asks the model for it and keeps it. `undefined` after a failure. Throws only the reason of
   * `signal`, and the errors of the user's prompts.
   */
  async make<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
    signal?: AbortSignal,
  ): Promise<Value | undefined> {
    signal?.throwIfAborted();
    const planned = await this.plan(task, input, language);
    const running = this.#running.get(planned.key);
    if (running !== undefined) {
      try {
        return await running as Value | undefined;
      } catch {
        // The other caller has given up.
        return await this.make(task, input, language, signal);
      }
    }
    const making = this.#make(task, input, planned, signal).finally(() => this.#running.delete(planned.key));
    this.#running.set(planned.key, making);
    return await making;
  }

  /** Keeps in mind that an input cannot be sent, so that it is not prepared again. */
  async leaveOut<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<void> {
    await this.#keep((await this.plan(task, input, language)).key, LEFT_OUT);
  }

  /** Returns the request that a value needs. Throws the errors of `loadPrompt`. */
  async plan<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    language: Language,
  ): Promise<PlannedRequest> {
    const prompt = await this.#promptOf(task.name, language);
    const kind = task.kind?.(input) ?? "";
    const images = task.images?.(input) ?? [];
    const { contextTokens } = this.model;
    const room = contextTokens * (1 - RESERVE) - task.maxOutputTokens - imageTokens(images, this.model.id);
    const limits = { total: Math.max(256, Math.min(room, MOST_INPUT)), each: task.valueTokens };
    const values = fittedValues(prompt, kind, task.values(input), limits);
    const identity = task.identity?.(input);
    const parts = identity === undefined ? [kind, Object.entries(values), digestsOf(images)] : [identity];
    const key = this.#keyOf(task, prompt, language, parts);
    this.#options.used?.add(key);
    return { key, prompt, kind, values };
  }

  async #make<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    { key, prompt, kind, values }: PlannedRequest,
    signal?: AbortSignal,
  ): Promise<Value | undefined> {
    const kept = await this.#kept(task, input, key);
    if (kept !== undefined || this.#ended !== undefined) return kept?.value;
    using _slot = await this.#slots.take(signal);
    if (this.#ended !== undefined) return undefined;
    try {
      const images = task.images?.(input) ?? [];
      const { value, usage } = await this.model.object({
        task: task.name,
        ...filledPrompt(prompt, kind, values),
        ...(images.length > 0 && { images }),
        maxOutputTokens: task.maxOutputTokens,
        signal,
      }, task.schema);
      this.#usage = sumOfUsage(this.#usage, usage);
      this.#failuresInARow = this.#lateInARow = 0;
      const checked = task.checked === undefined ? value : task.checked(value, input);
      if (checked === undefined) this.#count("llm_not_grounded");
      await this.#keep(key, checked ?? REJECTED);
      return checked;
    } catch (error) {
      signal?.throwIfAborted();
      // The model would answer the same request in the same way. It is no failure of the server.
      if (error instanceof UserError && (task.rejectedBy ?? [REFUSED]).includes(error.key)) {
        this.#count(error.key);
        await this.#keep(key, REJECTED);
      } else this.#fail(error, task.name);
      return undefined;
    }
  }

  /** Returns a kept value, `value: undefined` where nothing is to be asked for, and `undefined` where nothing is kept. */
  async #kept<Input, Value>(
    task: GeneratedTask<Input, Value>,
    input: Input,
    key: string,
  ): Promise<{ readonly value: Value | undefined; readonly isRejected: boolean } | undefined> {
    const kept = await this.#store.get(key).catch(() => undefined);
    if (kept === undefined) return undefined;
    if (kept === REJECTED || kept === LEFT_OUT) return { value: undefined, isRejected: kept === REJECTED };
    const { success, data } = task.schema.safeParse(kept);
    if (!success) return undefined;
    const value = task.checked === undefined ? data : task.checked(data, input);
    return { value, isRejected: value === undefined };
  }

  /** A value that cannot be kept, because the disk is full, is used all the same. */
  async #keep(key: string, value: unknown): Promise<void> {
    try {
      await this.#store.set(key, value);
    } catch (error) {
      this.#count(error instanceof UserError ? error.key : "llm_failed");
    }
  }

  async #promptOf(name: PromptName, language: Language): Promise<Prompt> {
    const id = `${name}.${language}`;
    const loading = this.#prompts.get(id) ?? loadPrompt(name, language, this.#options.prompts ?? null);
    this.#prompts.set(id, loading);
    return await loading;
  }

  /** The key of a result: everything that decides it, and no path and no secret. */
  #keyOf(
    task: Pick<GeneratedTask<never, unknown>, "name" | "version" | "maxOutputTokens">,
    prompt: Prompt,
    language: Language,
    input: readonly unknown[],
  ): string {
    const { id, origin, parameters } = this.model;
    const parts = [
      task.name,
      task.version,
      task.maxOutputTokens,
      prompt.text,
      id,
      origin,
      parameters,
      language,
      ...input,
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  #fail(error: unknown, task: PromptName): void {
    const key = error instanceof UserError ? error.key : "llm_failed";
    this.#count(key);
    this.#options.onFailure?.(error, task);
    this.#failuresInARow++;
    this.#lateInARow = key === LATE ? this.#lateInARow + 1 : 0;
    const isDown = this.#lateInARow >= MOST_LATE ||
      this.#failuresInARow >= Math.max(MOST_FAILURES, 2 * this.model.concurrency);
    if (FINAL.has(key) || isDown) {
      this.#ended ??= error instanceof UserError ? error : new UserError("llm_failed");
    }
  }

  #count(key: MessageKey): void {
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
  }
}

function digestsOf(images: readonly ModelImage[]): string[][] {
  return images.map(({ bytes, mime }) => [mime, createHash("sha256").update(bytes).digest("hex")]);
}

/** Stands for an answer that was rejected, and for none because the model refused, so that it is not asked for again. */
const REJECTED = "rejected";
/** Stands for an input that cannot be sent. */
const LEFT_OUT = "left out";
