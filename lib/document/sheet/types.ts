/** A cell that shows something. */
export interface Cell {
  /** Counted from 0. */
  readonly column: number;
  readonly text: string;
  /** It repeats the text of the cell it is merged with. */
  readonly merged?: true;
}

/** A row with the cells that show something, by ascending column. */
export interface Row {
  /** Counted from 0. */
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** Cells shown as one. Counted from 0; the ends are inclusive. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}
