/** Shapes of the layout analysis. Lengths are points (1/72 inch); x grows to the right, y downwards. */

/** A rectangle on a page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The style that the name of a font tells. */
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
  /** Whether it is written from right to left. Its text is in logical order nevertheless. */
  readonly rtl: boolean;
  /** Whether the file has a blank at its left, or right, side. */
  readonly blankLeft: boolean;
  readonly blankRight: boolean;
  /** Address of the link that it belongs to. */
  readonly link?: string;
}

/** Text with or without a link. */
export interface Piece {
  readonly text: string;
  readonly link?: string;
}

/** Runs that follow each other on one baseline, without a wide gap. */
export interface Line extends Box {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  readonly baseline: number;
  readonly size: number;
  /** The face of most of its characters. */
  readonly face: Face;
  /** Place in the file's own order. */
  readonly order: number;
}

/** A table and where it stands. Cells hold inline Markdown. */
export interface TableBox extends Box {
  readonly rows: readonly (readonly string[])[];
  /** The runs that it is made of. */
  readonly runs: readonly Run[];
  /** Place in the file's own order. */
  readonly order: number;
}

/** The content of a page, upright. */
export interface PageLayer {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  /** Horizontal and vertical ruling lines. */
  readonly rules: readonly Box[];
}

/** A page as it was read. */
export interface PageContent {
  readonly width: number;
  readonly height: number;
  /** The page's main text first, then text at other angles. */
  readonly layers: readonly PageLayer[];
}

/** An entry of the outline that a file brings along. */
export interface OutlineEntry {
  readonly title: string;
  /** 1 is the outermost. */
  readonly level: number;
  /** Counted from 1, where it leads somewhere. */
  readonly page?: number;
}
