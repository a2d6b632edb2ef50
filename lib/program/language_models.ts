/**
 * The language models of a session: opened when a command asks for them, only for folders whose texts may be sent there, with one budget
 * for the run.
 */
import { type Config, folderConfig, usageDir } from "#foundation/configuration/mod.ts";
import { textServer } from "#foundation/consent.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Log } from "#foundation/log.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { Estimator, Generator } from "#library/generate/mod.ts";
import type { ModelRewriter } from "#library/search/model_rewriter.ts";
import { type IndexDirs, openStore } from "#library/store/mod.ts";
import { type LanguageModel, type ModelTask, openLanguageModel, TokenBudget } from "#models/language/mod.ts";

/** A section of the configuration that names a language model. */
export type ModelSection = "llm" | "vision_llm";

/** Seconds that a search waits for a question to be rewritten, at most. */
const MOST_REWRITE_SECONDS = 5;

/** The parts of a session that decide which model is opened, and where its results are kept. */
interface Opening {
  readonly config: Config;
  readonly consented: Readonly<Record<string, readonly string[]>>;
  readonly stateDir: string;
  readonly indexKey: IndexKey;
  readonly indexDirs: IndexDirs;
  readonly log: Log;
}

/** Opens the models of a session, each once. `tell`: prints a warning. */
export class LanguageModels {
  readonly #session: Opening;
  readonly #tell: (key: MessageKey, params: MessageParams) => void;
  readonly #models = new Map<ModelSection, Promise<LanguageModel>>();
  readonly #told = new Set<string>();
  readonly #budget: TokenBudget;

  constructor(session: Opening, tell: (key: MessageKey, params: MessageParams) => void) {
    this.#session = session;
    this.#tell = tell;
    this.#budget = new TokenBudget(session.config.llm.budget, usageDir(session.stateDir));
  }

  /**
   * Returns the model of a section for texts of these folders; `undefined` where none is configured, and, with a warning, where the user
   * has not agreed for one of them.
   */
  async model(section: ModelSection, roots: readonly string[]): Promise<LanguageModel | undefined> {
    const server = textServer(this.#session.config[section]);
    if (server === undefined) return undefined;
    const missing = roots.find((root) => !this.#session.consented[root]?.includes(server.origin));
    if (missing === undefined && (roots.length > 0 || server.isLocal)) return await this.#opened(section);
    const params = { dir: missing ?? "", host: server.host };
    const told = `${section} ${params.dir}`;
    if (!this.#told.has(told)) this.#tell("llm_consent_missing", params);
    this.#told.add(told);
    return undefined;
  }

  /**
   * Returns the model for a task on texts of these folders; `undefined` where one of them does not have the task, and as with
   * {@linkcode model}. `answer` and `check` are in no list of tasks.
   */
  async forTask(task: ModelTask, roots: readonly string[]): Promise<LanguageModel | undefined> {
    const { config } = this.#session;
    const has = (root: string) => folderConfig(config, root).llm.tasks.some((name) => name === task);
    if (task !== "answer" && task !== "check" && !roots.every(has)) return undefined;
    return await this.model(task === "caption" ? "vision_llm" : "llm", roots);
  }

  /**
   * Returns what makes texts for a folder; `undefined` as with {@linkcode model}. `told`: gets each failure. `used`: gets the keys of its
   * requests.
   */
  async generator(
    root: string,
    section: ModelSection,
    told: (failure: unknown) => void = () => {},
    used?: Set<string>,
  ): Promise<Generator | undefined> {
    const model = await this.model(section, [root]);
    if (model === undefined) return undefined;
    const { log } = this.#session;
    const onFailure = (failure: unknown, task: string) => {
      told(failure);
      const { key, params } = failure as Partial<UserError>;
      log.warning("generate.failed", { task, key: key ?? String(failure), ...params });
    };
    return new Generator(this.#store(root).generated, model, {
      prompts: this.#prompts(root),
      used,
      onFailure,
    });
  }

  /** Returns the model that rewrites questions to these folders; `undefined` as with {@linkcode forTask}. */
  async rewriter(roots: readonly string[]): Promise<ModelRewriter | undefined> {
    const [root] = roots;
    if (root === undefined || await this.forTask("rewrite", roots) === undefined) return undefined;
    let failure: UserError | undefined;
    const generator = await this.generator(root, "llm", (error) => {
      if (error instanceof UserError) failure = error;
    });
    if (generator === undefined) return undefined;
    const { timeout_seconds: seconds } = this.#session.config.llm;
    const limit = Math.min(seconds, MOST_REWRITE_SECONDS);
    const { ModelRewriter } = await import("#library/search/model_rewriter.ts");
    return new ModelRewriter(generator, limit, () => failure);
  }

  /** Returns what counts the requests for a folder, without consent and without sending any; `undefined` without a model. */
  async estimator(root: string, section: ModelSection): Promise<Estimator | undefined> {
    if (textServer(this.#session.config[section]) === undefined) return undefined;
    const model = await this.#opened(section);
    return new Estimator(this.#store(root).generated, model, { prompts: this.#prompts(root) });
  }

  #opened(section: ModelSection): Promise<LanguageModel> {
    const opening = this.#models.get(section) ??
      openLanguageModel(this.#session.config[section], this.#budget);
    this.#models.set(section, opening);
    return opening;
  }

  #store(root: string) {
    return openStore(this.#session.config, root, this.#session);
  }

  #prompts(root: string): string | null {
    return folderConfig(this.#session.config, root).llm.prompts;
  }
}
