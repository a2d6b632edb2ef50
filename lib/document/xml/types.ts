/** An element of an XML document. */
export interface XmlElement {
  /** With its prefix: of a namespace named in {@linkcode XmlOptions.prefixes} that prefix, else the one in the document. */
  readonly name: string;
  /** By name, with prefixes as in `name`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and texts in their order; texts that follow each other are one. */
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** An XML document: decoded, or its bytes, whole or in pieces. */
export type XmlSource = string | Uint8Array | Iterable<Uint8Array>;

export interface XmlOptions {
  /**
   * Namespace URI → prefix its names are given, whatever prefix the document uses. An empty prefix gives bare names.
   * Names of other namespaces stay as written.
   */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Deepest nesting of elements; 500 by default. More is `too_complex`. */
  readonly depth?: number;
  /** Elements and texts held in memory at one time; 4 million by default. More is `too_complex`. */
  readonly nodes?: number;
}

/** An element found by {@linkcode readElements}. */
export interface FoundElement {
  readonly element: XmlElement;
  /** The elements around it, from the root inwards, with their attributes but without children. */
  readonly ancestors: readonly XmlElement[];
}
