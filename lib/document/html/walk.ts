import type { BlockSink } from "../writer/cell_builder.ts";
import type { Measure } from "./measure.ts";
import type { Element } from "./tree.ts";
import type { Writer } from "./writer.ts";

/** Options for writing a page as Markdown. */
export interface FlowOptions {
  readonly measures: ReadonlyMap<Element, Measure>;
  /** Elements to leave out. */
  readonly omitted: ReadonlySet<Element>;
  /** Added to the levels of headings. */
  readonly headingOffset?: number;
  /** Host of the page. Links to it lose their targets, since they stay on the same site. */
  readonly host?: string | undefined;
}

/** The state shared by the functions that write one kind of element each. */
export interface Walk {
  readonly sink: BlockSink;
  readonly writer: Writer;
  readonly options: FlowOptions;
  /** Nesting level of the open list, from 0; -1 outside of lists. */
  depth: number;
  /** Whether links keep their targets. */
  readonly hasTargets: boolean;
  /** Writes an element. */
  visit(element: Element): void;
  children(element: Element): void;
  /** Writes the children of an element, starting and ending on separate lines. */
  block(element: Element): void;
  /** Whether an element is left out. */
  isOmitted(element: Element): boolean;
  /** Returns the content of a table cell on one line. */
  cell(cell: Element, hasTargets: boolean): string;
}
