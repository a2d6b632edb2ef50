/** An element of an XML document. */
export interface XmlElement {
  /**
   * Name with its prefix: the prefix from {@linkcode XmlOptions.prefixes} for a namespace listed there, else the one in the
   * document.
   */
  readonly name: string;
  /** Attributes by name, with prefixes as in `name`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and texts in their order. Adjacent texts are joined. */
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** An XML document: decoded text, or bytes in one or several pieces. */
export type XmlSource = string | Uint8Array | Iterable<Uint8Array>;

export interface XmlOptions {
  /**
   * Maps namespace URIs to the prefixes that their names get, whatever prefix the document uses. An empty prefix gives bare
   * names. Names of other namespaces stay as written.
   */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Deepest nesting of elements, 500 by default. Beyond it the document is `too_complex`. */
  readonly depth?: number;
  /** Elements and texts in memory at one time, 4 million by default. Beyond it the document is `too_complex`. */
  readonly nodes?: number;
}

/** An element found by {@linkcode readElements}. */
export interface FoundElement {
  readonly element: XmlElement;
  /** The ancestors of the element, from the root inwards, with their attributes but without children. */
  readonly ancestors: readonly XmlElement[];
}
