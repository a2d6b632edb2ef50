/** The recorder of a session's traces, and what sends them to a collector. The first work that is traced loads it. */
import type { Log } from "#foundation/log.ts";
import { Traces } from "#traces/mod.ts";
import type { Request } from "./request.ts";
import { secretsOf } from "./secrets_in_texts.ts";

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
