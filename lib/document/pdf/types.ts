/** Types of the layout analysis. Lengths are in points (1/72 inch). x grows to the right, y downwards. */

/** A rectangle on a page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The face that the name of a font describes. */
export interface Face {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/** A piece of a line in one font, as the file draws it. */
export interface Run extends Box {
  readonly text: string;
  readonly baseline: number;
  /** Font size. */
  readonly size: number;
  readonly face: Face;
  /** Whether the text is written from right to left. `text` is in logical order in either case. */
  readonly rtl: boolean;
  /** Whether the file has a blank at the left, or right, side. */
  readonly blankLeft: boolean;
  readonly blankRight: boolean;
  /** Address of the link around the run. */
  readonly link?: string;
}

/** Text with or without a link. */
export interface Piece {
  readonly text: string;
  readonly link?: string;
}

/** Adjacent runs on one baseline, without a wide gap. */
export interface Line extends Box {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  readonly baseline: number;
  readonly size: number;
  /** Face of most of its characters. */
  readonly face: Face;
  /** Position in the order of the file. */
  readonly order: number;
}

/** A part of the width of a page. */
export interface Interval {
  readonly left: number;
  readonly right: number;
}

/** A table and its position. Cells contain inline Markdown. */
export interface TableBox extends Box {
  readonly rows: readonly (readonly string[])[];
  /** The places of its columns, in the order of the cells. */
  readonly columns: readonly Interval[];
  /** The runs in the table. */
  readonly runs: readonly Run[];
  /** Position in the order of the file. */
  readonly order: number;
}

/** The upright content of a page. */
export interface PageLayer {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  /** Horizontal and vertical ruling lines. */
  readonly rules: readonly Box[];
}

/** The content of a page before layout. */
export interface PageContent {
  readonly width: number;
  readonly height: number;
  /** The main text of the page first, then text at other angles. */
  readonly layers: readonly PageLayer[];
}

/** An entry of the outline in the file. */
export interface OutlineEntry {
  readonly title: string;
  /** Counted from 1, the outermost level. */
  readonly level: number;
  /** Page that it leads to, counted from 1, if any. */
  readonly page?: number;
}
