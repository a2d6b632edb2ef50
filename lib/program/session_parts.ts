/** The parts of a session that a command may do without: neural models, and the recorder of traces. A start loads neither. */
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Log } from "#foundation/log.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import { Traces } from "#traces/mod.ts";
import { MODEL_THREADS } from "./context.ts";
import type { Request } from "./request.ts";
import { printableMessage } from "./say.ts";
import { secretsOf } from "./secrets_in_texts.ts";

/** Commands that answer questions while vectors are made. */
const ANSWERING: ReadonlySet<string> = new Set(["serve", "search"]);

/** Neural models, with their threads if they have some. */
export type OpenedModels = NeuralModels & Partial<Disposable>;

/** Opens neural models; `undefined` where they cannot be used, and `warn` is told why in the user's language. */
export async function openModels(
  embedding: Config["embedding"],
  { command, language, modelsDir }: Request,
  warn: (text: string) => void,
): Promise<OpenedModels | undefined> {
  const onProblem = ({ key, params }: UserError) => warn(printableMessage(language, key, params));
  try {
    const { openNeuralModels } = await import("#models/embedding/mod.ts");
    // A second thread does not help where the program itself needs a core, and takes the model's memory again.
    const workers = ANSWERING.has(command) ? 1 : MODEL_THREADS;
    return await openNeuralModels(embedding, { modelsDir, workers, onProblem });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/** The recorder of a session, and what ends it. */
export interface OpenedTraces {
  readonly traces: Traces;
  /** Writes what is not written yet, and sends what a collector does not have yet. */
  readonly close: () => Promise<void>;
}

/** Opens the recorder of a session. `isLogged`: whether the command may write into the log folder. */
export async function openTraces(
  request: Request,
  { log, isLogged }: { readonly log: Log; readonly isLogged: boolean },
): Promise<OpenedTraces> {
  const { version, config } = request;
  const { traces: kept, detail, "max_mb": maxMb, keep, otlp } = config.observability;
  const { collectorOf, Exporter } = otlp.url === null
    ? { collectorOf: undefined, Exporter: undefined }
    : await import("#traces/export/mod.ts");
  const exporter = collectorOf && new Exporter(collectorOf(otlp, otlp.url!), { version, log });
  const traces = new Traces({
    dir: isLogged ? config.log.dir : null,
    traces: kept === "text" ? "text" : "ids",
    detail,
    maxMb,
    keep,
    program: version,
    secrets: secretsOf(request),
    ...(exporter !== undefined && { onTrace: (record) => exporter.add(record) }),
  });
  const close = async () => {
    await traces.close();
    await exporter?.close();
  };
  return { traces, close };
}
