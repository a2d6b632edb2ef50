/** The stages of a trace below each other, each with its time, the time of its own, and a bar at its place. Only the visible rows are in the page. */
import { useMemo } from "preact/hooks";
import type { WireSpan } from "#wire/traces.ts";
import { VirtualList } from "#web/components/list.tsx";
import { duration } from "#web/texts.ts";

/** A stage as a row. */
export interface StageRow {
  readonly span: WireSpan;
  readonly depth: number;
  /** Milliseconds in which no stage inside it ran. */
  readonly own: number;
}

/** The stages in the order in which they began, each below the one that it is in. Takes time in the number of stages. */
export function stageRows(spans: readonly WireSpan[]): StageRow[] {
  const inside = new Map<string, WireSpan[]>();
  for (const span of spans) {
    const among = inside.get(span.parent ?? "");
    if (among === undefined) inside.set(span.parent ?? "", [span]);
    else among.push(span);
  }
  const rows: StageRow[] = [];
  const known = new Set<string>();
  // A file that anyone may have changed can name a stage as its own parent, or be nested too deeply for recursion.
  const open = (inside.get("") ?? []).map((span) => ({ span, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, depth } = next;
    if (known.has(span.id)) continue;
    known.add(span.id);
    const parts = (inside.get(span.id) ?? []).sort((a, b) => a.from - b.from);
    rows.push({ span, depth, own: Math.max(0, span.ms - together(parts)) });
    for (const part of parts.toReversed()) open.push({ span: part, depth: depth + 1 });
  }
  return rows;
}

/** Milliseconds in which at least one of the stages ran; they are sorted by their beginning. */
function together(spans: readonly WireSpan[]): number {
  let sum = 0, until = 0;
  for (const { from, ms } of spans) {
    sum += Math.max(0, from + ms - Math.max(until, from));
    until = Math.max(until, from + ms);
  }
  return sum;
}

export function Waterfall({ label, spans, total, nameOf, noteOf, selected, onSelect }: {
  readonly label: string;
  readonly spans: readonly WireSpan[];
  /** Milliseconds of the whole trace. */
  readonly total: number;
  readonly nameOf: (span: WireSpan) => string;
  /** The further text of its row. */
  readonly noteOf: (span: WireSpan) => string;
  /** Id of a stage. */
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const rows = useMemo(() => stageRows(spans), [spans]);
  const scale = total > 0 ? 100 / total : 0;
  return (
    <div class="waterfall">
      <VirtualList label={label} items={rows} keyOf={({ span }) => span.id} height={30}>
        {({ span, depth, own }) => {
          const { id, from, ms, error, facts } = span;
          const state = error !== undefined ? "failed" : facts["fallback"] !== undefined ? "fell-back" : "";
          const left = Math.min(99.5, from * scale);
          const width = Math.max(0.5, Math.min(100 - left, ms * scale));
          return (
            <button
              type="button"
              class={`stage ${state}`}
              aria-pressed={id === selected}
              onClick={() => onSelect(id)}
            >
              <span class="name" style={{ paddingLeft: `${Math.min(depth, 12)}rem` }}>
                <bdi>{nameOf(span)}</bdi>
              </span>
              <span class="number">{duration(ms)}</span>
              <span class="number muted">{own < ms ? duration(own) : ""}</span>
              <span class="track" aria-hidden="true">
                <span
                  class="span"
                  style={{ left: `${left}%`, width: `${width}%` }}
                >
                  <span style={{ width: `${ms > 0 ? 100 * own / ms : 100}%` }} />
                </span>
              </span>
              <small>
                <bdi>{noteOf(span)}</bdi>
              </small>
            </button>
          );
        }}
      </VirtualList>
    </div>
  );
}
