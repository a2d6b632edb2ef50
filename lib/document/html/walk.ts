import type { BlockSink } from "../writer/cell_builder.ts";
import type { Measure } from "./measure.ts";
import type { Element } from "./tree.ts";
import type { Writer } from "./writer.ts";

/** Options for writing a page as Markdown. */
export interface FlowOptions {
  readonly measures: ReadonlyMap<Element, Measure>;
  /** Elements to leave out. */
  readonly left: ReadonlySet<Element>;
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Host of the page. Links to it are left out, since they stay on the same site. */
  readonly host?: string | undefined;
}

/** The walk over a tree while it is written: the functions that write one kind of element share it. */
export interface Walk {
  readonly sink: BlockSink;
  readonly writer: Writer;
  readonly options: FlowOptions;
  /** Nesting of the list that is open, from 0; -1 outside of lists. */
  depth: number;
  /** Whether links keep their targets. */
  readonly hasTargets: boolean;
  /** Writes an element. */
  visit(element: Element): void;
  /** Writes the children of an element. */
  children(element: Element): void;
  /** Writes the children of an element as lines apart from what is around them. */
  block(element: Element): void;
  /** Whether an element is left out. */
  isLeft(element: Element): boolean;
  /** Returns the content of a table cell on one line. */
  cell(cell: Element, hasTargets: boolean): string;
}
