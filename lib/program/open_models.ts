/**
 * The neural models of a session: opened when a command asks for them, each pair of local ones once,
 * with a warning where they cannot be used.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import type { Request } from "./request.ts";

/**
 * Threads that run each model. A second one does not help where the program itself needs a core, and takes its memory again.
 */
const WORKERS = 1;
/** Threads of a command that does nothing else. */
export const WORKERS_OF_RUNS = Math.max(1, Math.min(2, navigator.hardwareConcurrency));

/** Commands that answer questions while vectors are made. */
const ANSWERING: ReadonlySet<string> = new Set(["serve", "search"]);

/** Neural models, with their threads if they have some. */
type OpenedModels = NeuralModels & Partial<Disposable>;

/** The neural models of a session, each pair of local ones opened once. Disposing of it ends their threads. */
export class OpenModels implements Disposable {
  readonly #request: Request;
  readonly #warn: (text: string) => void;
  readonly #opened = new Map<string, Promise<OpenedModels | undefined>>();

  /** `warn` is told in the user's language why models cannot be used. */
  constructor(request: Request, warn: (text: string) => void) {
    this.#request = request;
    this.#warn = warn;
  }

  /**
   * Opens the models that a configuration names: those in this program, or the one on a server. Returns `undefined` where it
   * names none or they cannot be used.
   */
  async of({ embedding }: Config = this.#request.config): Promise<NeuralModels | undefined> {
    const { provider, local } = embedding;
    if (provider === "builtin" || provider === "none") return undefined;
    const name = JSON.stringify(provider === "local" ? local : embedding);
    let opened = this.#opened.get(name);
    if (opened === undefined) this.#opened.set(name, opened = this.#open(embedding));
    return await opened;
  }

  async #open(embedding: Config["embedding"]): Promise<OpenedModels | undefined> {
    const { command, language, modelsDir } = this.#request;
    const { printableMessage } = await import("./say.ts");
    try {
      const { openNeuralModels } = await import("#models/embedding/mod.ts");
      const workers = ANSWERING.has(command) ? WORKERS : WORKERS_OF_RUNS;
      const onProblem = ({ key, params }: UserError) => this.#warn(printableMessage(language, key, params));
      return await openNeuralModels(embedding, { modelsDir, workers, onProblem });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#warn(printableMessage(language, error.key, error.params));
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    for (const opened of this.#opened.values()) {
      opened.then((models) => models?.[Symbol.dispose]?.(), () => {});
    }
    this.#opened.clear();
  }
}
