/** A long list that is fetched in parts, as its rows come into view. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { language } from "#web/texts.ts";

/** Rows of a part. */
const PART = 100;

/** A part of a list, and the number of all its rows. */
export interface Part<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

export interface Windows<Row> {
  /** Rows of the list; `undefined` before the first part is there. */
  readonly total: number | undefined;
  /** A row, which is fetched if it is not there yet. */
  readonly rowAt: (at: number) => Row | undefined;
  readonly error: unknown;
}

/** Fetches the first part when the component is shown and when `key` or the language changes, and the others when their rows are asked for. */
export function useWindows<Row>(
  key: string,
  fetch: (offset: number, limit: number, signal: AbortSignal) => Promise<Part<Row>>,
): Windows<Row> {
  const [, redraw] = useState(0);
  const list = useMemo(() => new PartList(fetch, () => redraw((count) => count + 1)), [
    key,
    language.value,
  ]);
  useEffect(() => {
    list.load(0);
    return () => list.close();
  }, [list]);
  return { total: list.total, rowAt: (at) => list.rowAt(at), error: list.error };
}

class PartList<Row> {
  readonly #fetch: (offset: number, limit: number, signal: AbortSignal) => Promise<Part<Row>>;
  readonly #onChange: () => void;
  readonly #gone = new AbortController();
  /** The parts by their number; `undefined` while one is fetched. */
  readonly #parts = new Map<number, readonly Row[] | undefined>();
  total: number | undefined;
  error: unknown;

  constructor(
    fetch: (offset: number, limit: number, signal: AbortSignal) => Promise<Part<Row>>,
    onChange: () => void,
  ) {
    this.#fetch = fetch;
    this.#onChange = onChange;
  }

  rowAt(at: number): Row | undefined {
    const part = Math.floor(at / PART);
    // Fetching changes the state, which may not happen while it is drawn.
    if (!this.#parts.has(part)) queueMicrotask(() => this.load(part));
    return this.#parts.get(part)?.[at % PART];
  }

  load(part: number): void {
    if (this.#parts.has(part) || this.#gone.signal.aborted) return;
    this.#parts.set(part, undefined);
    const { signal } = this.#gone;
    this.#fetch(part * PART, PART, signal).then(({ total, rows }) => {
      if (signal.aborted) return;
      this.#parts.set(part, rows);
      this.total = total;
      this.#onChange();
    }, (error) => {
      if (signal.aborted) return;
      this.error = error;
      this.#onChange();
    });
  }

  close(): void {
    this.#gone.abort();
  }
}
