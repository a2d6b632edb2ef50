import type { LineCursor } from "./_line_cursor.ts";
import { type TableHead, TableHeads } from "./_table_heads.ts";

/** In smaller chunks there is no room for the head of a table. */
const LEAST_WITH_LEAD = 40;

/** Decides what chunks that begin with rows of a table are led in by. Chunks come in the order of the text. */
export class TableLeads {
  readonly #text: string;
  readonly #maxChars: number;
  readonly #heads: TableHeads;
  /** The table whose rows the chunk in hand begins with, and where the first of these rows starts. */
  #head: TableHead | undefined;
  #rowStart = 0;
  #reserve = 0;

  constructor(text: string, maxChars: number) {
    this.#text = text;
    this.#maxChars = maxChars;
    this.#heads = new TableHeads(text);
  }

  /**
   * Takes notice that a chunk begins at the line at the cursor. Gives the units to keep free: for the whole head, or, where
   * the row has no place beside that, for the names of the columns that a part of the row holds. 0 without a table.
   */
  begin(line: LineCursor): number {
    this.#head = this.#maxChars < LEAST_WITH_LEAD ? undefined : this.#heads.of(line.lineStart);
    this.#rowStart = line.lineStart;
    this.#reserve = this.#head === undefined ? 0 : this.#reserveFor(this.#head, line);
    return this.#reserve;
  }

  #reserveFor({ start, end }: TableHead, line: LineCursor): number {
    const whole = end - start + 1;
    const half = this.#maxChars >> 1;
    const row = line.continued ? Infinity : line.end - line.start;
    return whole <= half || whole + row <= this.#maxChars ? whole : half;
  }

  /** The lead of the chunk in hand, as far as there is room for one. `oneRow`: the chunk ends in the row it begins in. */
  of(start: number, end: number, oneRow: boolean): { readonly lead?: string } {
    const head = this.#head;
    if (head === undefined) return {};
    if (head.end - head.start < this.#reserve) return { lead: this.#text.slice(head.start, head.end) };
    const lead = oneRow ? this.#heads.names(head, this.#rowStart, start, end) : undefined;
    return lead === undefined || lead.length >= this.#reserve ? {} : { lead };
  }
}
