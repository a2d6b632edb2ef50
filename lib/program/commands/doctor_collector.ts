/** The findings of `doctor` about the collector that traces are sent to. */
import { maskSecrets } from "#foundation/configuration/mod.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import type { Session } from "../request.ts";
import type { Row } from "../output.ts";
import type { Style } from "../terminal_text.ts";
import { formatDuration } from "../progress.ts";
import { attempt, type Findings } from "./doctor_findings.ts";

/** Findings about the collector. */
export interface CollectorReport extends Findings {
  readonly address: string;
  readonly protocol: "protobuf" | "json";
  /** Whether headers are configured. */
  readonly headersSet: boolean;
  /** Whether questions, texts and paths are sent. */
  readonly texts: boolean;
}

/** Sends a request without spans. `undefined` where no traces are sent. */
export async function collectorReport(session: Session): Promise<CollectorReport | undefined> {
  const { config, version, log, signal } = session;
  const { traces, otlp } = config.observability;
  if (traces === "off" || otlp.url === null) return undefined;
  const { url } = otlp;
  const { url: address, headers } = maskSecrets(config).observability.otlp;
  const found = await attempt<CollectorReport>(session, "doctor.collector", async () => {
    const { collectorOf, Exporter } = await import("#traces/export/mod.ts");
    const began = performance.now();
    await new Exporter(collectorOf(otlp, url), { version, log }).probe(signal);
    return { milliseconds: Math.round(performance.now() - began) };
  });
  const texts = traces === "text" && otlp.texts;
  return { address: address!, protocol: otlp.protocol, headersSet: headers !== null, texts, ...found };
}

/** The rows of a report for the terminal. */
export function collectorRows(
  { address, protocol, texts, ok, milliseconds = 0, problem = "" }: CollectorReport,
  language: Language,
  style: Style,
): Row[] {
  const time = formatDuration(milliseconds / 1000);
  const works = message(language, texts ? "cli_doctor_collector_texts" : "cli_doctor_collector_ids", {
    time,
  });
  return [
    ["cli_doctor_collector", `${printable(address)} (${protocol})`],
    ["cli_doctor_sending", ok ? style.green(`✓ ${works}`) : style.red(`✗ ${printable(problem)}`)],
  ];
}
