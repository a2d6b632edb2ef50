/** A cell with text. */
export interface Cell {
  /** Counted from 0. */
  readonly column: number;
  readonly text: string;
  /** Whether the text repeats that of the merged range around it. */
  readonly merged?: true;
}

/** A row with its cells that have text, by ascending column. */
export interface Row {
  /** Counted from 0. */
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** A merged range, counted from 0. The ends are inclusive. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}
