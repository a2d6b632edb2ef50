/** Upper bounds of the durations that are counted apart, in seconds. */
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10] as const;

/** Counts of one kind of request. */
interface Durations {
  readonly counts: number[];
  sum: number;
}

/**
 * Numbers about the server in the text format of Prometheus. They hold no content: no query, no path, no name that a client has
 * chosen.
 */
export class Metrics {
  readonly #responses = new Map<number, number>();
  readonly #requests = new Map<string, Durations>();
  readonly #refused = new Map<string, number>();
  readonly #gauges: Readonly<Record<string, () => number>>;

  /** `gauges`: the current value of each number that goes up and down, by its name. */
  constructor(gauges: Readonly<Record<string, () => number>>) {
    this.#gauges = gauges;
  }

  /** Counts an HTTP response. */
  responded(status: number): void {
    this.#responses.set(status, (this.#responses.get(status) ?? 0) + 1);
  }

  /** Counts a refused connection or request. */
  refused(
    reason: "rate" | "busy" | "host" | "token" | "body" | "timeout" | "unread" | "malformed" | "room",
  ): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  /** Counts a request of the protocol. `name` and `outcome` must come from a fixed list. */
  requested(name: string, outcome: string, seconds: number): void {
    const labels = `method="${name}",outcome="${outcome}"`;
    let durations = this.#requests.get(labels);
    if (durations === undefined) {
      this.#requests.set(labels, durations = { counts: Array(BOUNDS.length + 1).fill(0), sum: 0 });
    }
    const bound = BOUNDS.findIndex((bound) => seconds <= bound);
    durations.counts[bound < 0 ? BOUNDS.length : bound]!++;
    durations.sum += seconds;
  }

  /** All numbers, one a line. */
  text(): string {
    const lines = [
      "# TYPE muxue_rag_http_responses_total counter",
      ...[...this.#responses].map(([status, count]) =>
        `muxue_rag_http_responses_total{status="${status}"} ${count}`
      ),
      "# TYPE muxue_rag_refused_total counter",
      ...[...this.#refused].map(([reason, count]) => `muxue_rag_refused_total{reason="${reason}"} ${count}`),
      "# TYPE muxue_rag_requests_seconds histogram",
      ...[...this.#requests].flatMap(([labels, durations]) => histogram(labels, durations)),
    ];
    for (const [name, value] of Object.entries(this.#gauges)) {
      lines.push(`# TYPE muxue_rag_${name} gauge`, `muxue_rag_${name} ${value()}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

function histogram(labels: string, { counts, sum }: Durations): string[] {
  let total = 0;
  const buckets = [...BOUNDS, "+Inf"].map((bound, at) => {
    total += counts[at]!;
    return `muxue_rag_requests_seconds_bucket{${labels},le="${bound}"} ${total}`;
  });
  return [
    ...buckets,
    `muxue_rag_requests_seconds_sum{${labels}} ${Number(sum.toFixed(6))}`,
    `muxue_rag_requests_seconds_count{${labels}} ${total}`,
  ];
}
