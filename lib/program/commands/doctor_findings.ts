/** The findings of `doctor` about a server or a model that it tries out. */
import { traceOf } from "#foundation/errors.ts";
import type { NeuralLanguage } from "#models/embedding/mod.ts";
import type { Session } from "../request.ts";
import { errorText } from "../say.ts";

/** A server that the configuration names, without its secrets. */
export interface ServerReport {
  readonly address: string;
  /** `host:port` of the proxy that the server is reached by; absent without one. */
  readonly proxy?: string;
  readonly model: string;
  /** Absent where the process did not get the key, because nothing may be sent there. */
  readonly keySet?: boolean;
}

export interface ModelReport {
  readonly language: NeuralLanguage;
  readonly id: string;
  readonly name: string;
  readonly dimensions: number;
  /** Time to load it and to embed one short text. */
  readonly milliseconds: number;
}

/** The result of trying out a provider, a reranker or a language model. */
export interface Findings {
  readonly ok: boolean;
  /** Identifier of the embedding provider; absent for `none`. */
  readonly id?: string;
  /** The local models; absent with any other provider. */
  readonly models?: readonly ModelReport[];
  readonly dimensions?: number;
  /** Time to embed one short text, or to judge two short passages, with loading a model on this machine. */
  readonly milliseconds?: number;
  readonly problem?: string;
}

/** Tries something out. A failure is a problem in the user's language, with its details in the log under `event`. */
export async function attempt<Found extends Findings>(
  { language, log, signal }: Session,
  event: string,
  work: () => Promise<Partial<Found>>,
): Promise<Partial<Found> & Findings> {
  try {
    return { ok: true, ...await work() } as Partial<Found> & Findings;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(event, { error: traceOf(error) });
    const problem = errorText(error, language, log.problem === undefined);
    return { ok: false, problem } as Partial<Found> & Findings;
  }
}
