import { closesFence, fenceOpened, startsTableRow } from "./_markdown_line.ts";
import { LineCursor } from "./_line_cursor.ts";

/** Looks ahead for the end of a code block or table, which should stay in one chunk. */
export class BlockFinder {
  /** End of the content of the block, number of its last line, start of the line after it. */
  end = 0;
  endLine = 0;
  next = 0;
  readonly #ahead: LineCursor;

  constructor(text: string) {
    this.#ahead = new LineCursor(text);
  }

  /**
   * Whether the line starts a code block or table that ends at or before the offset `limit`. Reads no further than `limit`.
   */
  find(line: LineCursor, limit: number): boolean {
    if (line.continued || line.end > limit) return false;
    const fence = fenceOpened(line);
    if (fence === 0 && !startsTableRow(line)) return false;
    const ahead = this.#ahead;
    ahead.rewind(line.next, line.nextNumber);
    this.#take(line);
    if (fence === 0) {
      while (ahead.next < limit && ahead.advance() && !ahead.afterBlank && startsTableRow(ahead)) {
        if (ahead.end > limit) return false;
        this.#take(ahead);
      }
      return true;
    }
    while (ahead.next < limit && ahead.advance()) {
      if (ahead.end > limit) return false;
      if (closesFence(ahead, fence)) {
        this.#take(ahead);
        return true;
      }
    }
    return false;
  }

  #take(line: LineCursor): void {
    this.end = line.end;
    this.endLine = line.number;
    this.next = line.next;
  }
}
