import type { LineCursor } from "./_line_cursor.ts";
import { type TableHead, TableHeads } from "./_table_heads.ts";

/** UTF-16 units of the smallest chunk that has room for a lead. */
const LEAST_WITH_LEAD = 40;

/**
 * Chooses the leads of chunks that begin with rows of a table. The chunks must come in the order of the text.
 *
 *     | part | price |                                          chunk 1
 *     |------|-------|
 *     | pump |   120 |
 *     - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
 *     | hose |    15 |     lead: both lines of the head         chunk 2
 *     - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
 *     |    9000 |          lead: `| price |`                    chunk 3: the end of a row that was too long
 */
export class TableLeads {
  readonly #text: string;
  readonly #maxChars: number;
  readonly #heads: TableHeads;
  /** The head of the table in which the current chunk begins, and the start of its first row. */
  #head: TableHead | undefined;
  #rowStart = 0;
  #reserve = 0;

  constructor(text: string, maxChars: number) {
    this.#text = text;
    this.#maxChars = maxChars;
    this.#heads = new TableHeads(text);
  }

  /**
   * Begins a chunk at the line at the cursor. Returns the UTF-16 units to reserve for its lead: those of the whole head or,
   * if the row does not fit beside that, half of the chunk for the names of some columns. 0 outside a table.
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

  /**
   * Returns the lead of the current chunk, if there is room for one. `oneRow` means that the chunk is part of a single row.
   */
  of(start: number, end: number, oneRow: boolean): { readonly lead?: string } {
    const head = this.#head;
    if (head === undefined) return {};
    if (head.end - head.start < this.#reserve) return { lead: this.#text.slice(head.start, head.end) };
    const lead = oneRow ? this.#heads.names(head, this.#rowStart, start, end) : undefined;
    return lead === undefined || lead.length >= this.#reserve ? {} : { lead };
  }
}
